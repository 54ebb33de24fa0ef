import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { direct, type Dispatch, type DirectResult } from '@/api/direct';
import type { Page } from '@/api/types';
import type { BulkAct as BarAct } from '@/components/BulkBar';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useTotal } from '@/i18n/useTotal';
import type { ListParams } from '@/lib/listParams';
import type { Selection } from '@/lib/selection';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { callsOf } from './calls';
import { BulkFieldDialog } from './BulkFieldDialog';
import { idOf, type BulkAct, type Resource } from './defineResource';
import type { Row } from './fields';
import { labelIn, mayDo } from './registry';
import { useResourceTexts } from './texts';
import { useBulkJob } from './useBulkJob';
import { filterParams } from './useResourceView';

/** Deletes the chosen rows. */
export const REMOVE: BulkAct = {
  name: 'remove',
  icon: IconTrash,
  right: 'delete',
  act: { delete: {} },
  destructive: true,
};

const NONE: readonly BulkAct[] = [];

/**
 * What this person can do to several rows at once, and the question before it. The server does it as a job, which goes on
 * whatever becomes of the selection and the page.
 */
export function useBulkActs<T extends Row>(
  resource: Resource<T>,
  selection: Selection<T>,
  params: ListParams,
  total: number,
  more?: boolean,
) {
  const { t } = useResourceTexts(resource.key);
  const totalText = useTotal();
  const dispatch = useDispatch<Dispatch>();
  const person = useSelector(selectPerson);
  const [asked, setAsked] = useState<BulkAct | null>(null);
  const job = useBulkJob({
    path: callsOf(resource.key).path,
    selection,
    filter: filterParams(params),
    failure: t('bulk.failed'),
  });
  const count = selection.count(total);
  const words = { count, formatted: totalText(count, more && selection.everything) };
  // One thing that can be brought back is not worth typing anything.
  const isTyped = count > 1 || !(resource.remove && resource.remove.undo);
  const acts = (resource.bulk ?? NONE).filter((act) =>
    act.right === undefined ? can(act.ability, person) : mayDo(resource.key, act.right, person),
  );
  /** The chosen rows; of all that match, the first so many. */
  const ids = async (most: number): Promise<DirectResult<string[]>> => {
    if (!selection.everything) return { data: [...selection.rows.keys()] };
    const asked = { ...filterParams(params), page: 1, page_size: most };
    const call = direct<Page<T>>({ url: callsOf(resource.key).path, params: asked }, new AbortController().signal);
    const { data, error } = await dispatch(call);
    return { data: data?.items.map((row) => idOf(resource, row)), error };
  };

  const ask = (act: BulkAct) => {
    setAsked(act);
    job.ask();
  };
  return {
    acts: acts.map((act): BarAct => ({
      key: act.name,
      label: t(`bulk.${act.name}.label`),
      icon: act.icon,
      destructive: act.destructive,
      onClick: () => ask(act),
    })),
    dialog:
      asked && 'Dialog' in asked ? (
        <asked.Dialog
          opened={job.opened}
          count={count}
          ids={ids}
          names={
            selection.everything ? undefined : [...selection.rows.values()].map((row) => labelIn(resource.key, row))
          }
          onDone={() => {
            job.close();
            selection.clear();
          }}
          onCancel={job.close}
        />
      ) : asked?.field ? (
        <BulkFieldDialog
          opened={job.opened}
          resource={resource as unknown as Resource}
          name={asked.field}
          title={t(`bulk.${asked.name}.title`, words)}
          text={t(`bulk.${asked.name}.text`)}
          label={t(`bulk.${asked.name}.label`)}
          send={(update) => job.send({ update })}
          onStarted={(started) => job.started(started, t(`bulk.${asked.name}.label`))}
          onCancel={job.close}
        />
      ) : (
        asked?.act && (
          <ConfirmDialog
            opened={job.opened}
            title={t(`bulk.${asked.name}.title`, words)}
            text={t(`bulk.${asked.name}.text`)}
            confirmLabel={t(`bulk.${asked.name}.label`)}
            destructive={asked.destructive}
            typeName={asked.destructive && isTyped ? String(count) : undefined}
            busy={job.busy}
            problem={job.problem}
            onCancel={job.close}
            onConfirm={() => void job.start(asked.act, t(`bulk.${asked.name}.label`))}
          />
        )
      ),
  };
}
