import { useMemo } from 'react';
import type { ListParams } from '@/lib/listParams';
import type { Split } from './defineResource';

type ParamsOfList = [ListParams, (change: Partial<ListParams>) => void];

/** What a list is asked for, with the part that it shows: that stays whatever filters come and go. */
export function usePartParams(split: Split | undefined, part: string, [params, change]: ParamsOfList): ParamsOfList {
  return useMemo(() => {
    if (!split) return [params, change];
    const shown = { [split.by]: [part] };
    return [
      { ...params, filters: { ...params.filters, ...shown } },
      ({ filters, ...others }) => change(filters ? { ...others, filters: { ...shown, ...filters } } : others),
    ];
  }, [split, part, params, change]);
}

/** What somebody has narrowed the part by. */
export function withoutPart(params: ListParams, split: Split | undefined): ListParams {
  const filters = Object.entries(params.filters).filter(([name]) => name !== split?.by);
  return { ...params, filters: Object.fromEntries(filters) };
}
