import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useSearchParams } from 'react-router';
import { useGetTenantQuery } from '@/api/api';
import type { Device } from '@/api/types';
import type { Filter } from '@/components/filters';
import { PrintAccess } from '@/components/PrintAccess';
import { PrintTable, type PrintColumn } from '@/components/PrintTable';
import { useFormats } from '@/i18n/useFormats';
import { readListParams, type ListParams } from '@/lib/listParams';
import { usePrintData } from '@/lib/usePrintData';
import { useSelectedUserParams } from '@/lib/useSelectedUserParams';
import { useTitle } from '@/lib/useTitle';
import { selectOtherUser, selectPerson } from '@/session/sessionSlice';
import { useDeviceDefinition } from './deviceDefinition';
import { devicePrintLoader, type OwnerNames } from './devicePrint';
import { useDeviceTexts } from './useDeviceTexts';

const NO_NAMES: OwnerNames = { users: new Map(), tenants: new Map() };

/** The devices of a filter to be printed, for those who may export them. */
export function DevicesPrintPage() {
  const { t } = useTranslation('devices');
  return (
    <PrintAccess module="device" noAccess={t('noAccess')}>
      <DevicePrintList />
    </PrintAccess>
  );
}

function DevicePrintList() {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation(['common', 'lists']);
  useTitle(t('title'));
  const formats = useFormats();
  const [search] = useSearchParams();
  const { list, columns, filters } = useDeviceDefinition();
  const [params] = useState(() => readListParams(search, list));
  const scoped = useSelectedUserParams(params);
  const otherUserId = useSelector(selectOtherUser);
  const [load] = useState(() => devicePrintLoader(scoped));
  const { data, progress, error, reload, at } = usePrintData(load);
  const names = data ?? NO_NAMES;
  const texts = useDeviceTexts(names);
  const tenantName = usePrintedTenantName(names, params);

  const shown = params.columns.flatMap((key): PrintColumn<Device>[] => {
    const column = columns.find((each) => each.key === key);
    const text = texts[key];
    return column && text ? [{ key, label: column.label, unit: column.unit, align: column.align, text }] : [];
  });
  const facts = [
    { label: common('lists:print.tenant'), value: tenantName ?? '' },
    { label: common('lists:print.asOf'), value: formats.dateTime(at) },
    { label: common('lists:print.rows'), value: formats.number(data?.devices.length ?? 0) },
    { label: common('lists:print.search'), value: params.q },
    { label: t('field.user'), value: otherUserId === null ? '' : (names.users.get(otherUserId) ?? '') },
    ...filters.filter(({ name }) => name !== 'tenant_id').map((filter) => filterFact(filter, params, names)),
  ].filter(({ value }) => value !== '');
  return (
    <PrintTable
      title={t('title')}
      facts={facts}
      columns={shown}
      rows={tenantName === undefined ? undefined : data?.devices}
      progress={progress}
      error={error}
      failure={t('loadFailed')}
      onRetry={reload}
    />
  );
}

/** What a filter says, in words. */
function filterFact(filter: Filter, params: ListParams, { users }: OwnerNames) {
  const word = (value: string) =>
    filter.kind === 'choice' ? filter.options.find((option) => option.value === value)?.label : users.get(value);
  const values = params.filters[filter.name] ?? [];
  return { label: filter.label, value: values.map((value) => word(value) ?? value).join(', ') };
}

/** Whose devices these are; undefined until that is known. */
function usePrintedTenantName({ tenants }: OwnerNames, params: ListParams): string | undefined {
  const { t } = useTranslation(['common', 'lists']);
  const person = useSelector(selectPerson);
  const ownId = person?.tenantId;
  const own = useGetTenantQuery({ id: ownId ?? '' }, { skip: !ownId });
  if (ownId) return own.isError ? '' : own.data?.name;
  const chosenId = params.filters.tenant_id?.[0];
  return chosenId ? (tenants.get(chosenId) ?? chosenId) : t('lists:print.allTenants');
}
