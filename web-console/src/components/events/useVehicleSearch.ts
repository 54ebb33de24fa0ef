import { useMemo, useState } from 'react';
import { useSelector } from 'react-redux';
import type { ListParams } from '@/lib/listParams';
import { useListQuery } from '@/resource/calls';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';

/** As many as fit into an address that every proxy takes. */
const MOST = 100;
/** Names no vehicle. */
const NOBODY = '-';

/**
 * A search by the name, plate or driver of vehicles, which the lists of events and alarms do not know: they are asked for these
 * vehicles instead. What finds no vehicle is looked for as it is, and what finds very many narrows nothing.
 */
export function useVehicleSearch(params: ListParams): ListParams {
  const { q } = params;
  const mayAsk = mayDo('devices', 'list', useSelector(selectPerson)) && q !== '';
  const { currentData, error } = useListQuery<{ id: string }>(
    'devices',
    { q, page: 1, page_size: MOST },
    { skip: !mayAsk },
  );
  const found = useMemo(() => {
    if (!mayAsk || error) return params;
    return currentData && ofVehicles(params, currentData.items, currentData.total);
  }, [mayAsk, error, params, currentData]);
  // Until the vehicles are known, the list stays what it was.
  const [last, setLast] = useState(params);
  if (found && found !== last) setLast(found);
  return found ?? last;
}

function ofVehicles(params: ListParams, vehicles: { id: string }[], total: number): ListParams {
  const { filters } = params;
  if (total === 0) return params;
  if (total > MOST) return { ...params, q: '' };
  const chosen = filters.device_id;
  const ids = vehicles.map(({ id }) => id).filter((id) => !chosen?.length || chosen.includes(id));
  return { ...params, q: '', filters: { ...filters, device_id: ids.length > 0 ? ids : [NOBODY] } };
}
