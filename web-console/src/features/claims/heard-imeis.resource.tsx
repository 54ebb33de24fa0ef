import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import type { Gateway, HeardImei } from '@/api/generated';
import { useListQuery } from '@/resource/calls';
import { defineResource, type FilterChoices } from '@/resource/defineResource';
import { choice, entity, instant, number, shown, text } from '@/resource/fields';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import { ClaimTabs } from './ClaimTabs';
import { HeardGateways, HeardImeiCell, SetUpHeard } from './HeardCells';

const GATEWAYS_OFFERED = 500;

/** The gateways that there are, for those who may see them. */
function useGatewayChoices(): FilterChoices {
  const mayList = mayDo('gateways', 'list', useSelector(selectPerson));
  const { data } = useListQuery<Gateway>('gateways', { page_size: GATEWAYS_OFFERED, sort: 'name' }, { skip: !mayList });
  return useMemo(() => ({ gateway: (data?.items ?? []).map(({ name }) => ({ value: name, label: name })) }), [data]);
}

/** Trackers that speak and that nobody has. */
export default defineResource<HeardImei>({
  key: 'heard-imeis',
  fields: {
    imei: text<HeardImei>({ tabular: true, column: { fixed: true, width: 190, Cell: HeardImeiCell } }),
    gateway: choice<HeardImei>({
      values: [],
      label: 'field.gateways',
      column: { width: 190, phone: 'below', Cell: HeardGateways },
      filter: { ability: 'gateway:list' },
    }),
    last_heard: instant({ label: 'field.lastHeard', column: { width: 150, phone: 'below' } }),
    first_heard: instant({ label: 'field.firstHeard', column: { width: 150 } }),
    fixes: number({ label: 'field.fixes', column: { width: 150 } }),
    tenant_id: entity({ of: 'tenants', ability: 'platform_owner', column: false, filter: true }),
    setUp: shown<HeardImei>({ column: { width: 210, phone: 'beside' }, cell: (row) => <SetUpHeard row={row} /> }),
  },
  idOf: ({ imei }) => imei,
  nameOf: ({ imei }) => imei,
  closed: true,
  noCreate: true,
  Toolbar: ClaimTabs,
  useFilterChoices: useGatewayChoices,
  refetchOnVisit: true,
  pollSeconds: 10,
});
