import { useSelector } from 'react-redux';
import { DetailDrawer } from '@/components/DetailDrawer';
import { knownOfNew } from '@/lib/drawerParam';
import { useFreshSnapshot } from '@/lib/useFreshSnapshot';
import { usePolling } from '@/lib/usePolling';
import { selectPerson } from '@/session/sessionSlice';
import { callsOf, useListQuery, useOneQuery } from './calls';
import { DeleteAction } from './DeleteAction';
import { idOf, nameOf, type Resource, type Values } from './defineResource';
import type { Row } from './fields';
import { mayDo } from './registry';
import { ResourceForm } from './ResourceForm';
import { useResourceTexts } from './texts';

interface ResourceDrawerProps<T extends Row> {
  resource: Resource<T>;
  /** An id, or `new` with what is known of it. */
  open: string;
  /** The page of the list behind, to go through one by one. */
  neighbours?: readonly T[];
  onShow?: (id: string) => void;
  onClose: () => void;
}

/** One thing in the drawer at the side: that of an id, or a new one. */
export function ResourceDrawer<T extends Row>({
  resource,
  open,
  neighbours = [],
  onShow,
  onClose,
}: ResourceDrawerProps<T>) {
  const texts = useResourceTexts(resource.key);
  const { t } = texts;
  const known = knownOfNew(open);
  const id = known ? null : open;
  // Always from the server: a change must be based on the newest version.
  const one = useOneQuery<T>(resource.key, id, {
    refetchOnMountOrArgChange: true,
    pollingInterval: usePolling(resource.pollSeconds),
  });
  const loads = callsOf(resource.key).get !== undefined;
  const place = neighbours.findIndex((each) => idOf(resource, each) === id);
  const listed = neighbours[place];
  const fresh = useFreshSnapshot(one);
  // What has no call of its own is all there in the list, unless that has moved on.
  const { findBy = resource.whole && everything } = resource;
  const asked = listed || id === null ? undefined : findBy?.(id);
  const search = useListQuery<T>(resource.key, asked ?? {}, { skip: !asked });
  const items = search.currentData?.items ?? [];
  const all = resource.whole?.(items, { q: '', filters: {} }, texts) ?? items;
  const found = asked && all.find((each) => idOf(resource, each) === id);
  const row = loads ? fresh : (listed ?? found);
  const query = asked ? search : one;
  const newest = one.currentData ?? row;
  const to = (neighbour: T | undefined) => (neighbour && onShow ? () => onShow(idOf(resource, neighbour)) : null);
  const shown = row ?? listed;
  const { Subtitle } = resource;
  return (
    <DetailDrawer
      size={resource.wide ? 720 : undefined}
      title={id === null ? t('createTitle') : shown ? nameOf(resource, shown, texts) : t('title')}
      subtitle={shown && Subtitle && <Subtitle row={newest ?? shown} />}
      previous={place < 0 ? undefined : to(neighbours[place - 1])}
      next={place < 0 ? undefined : to(neighbours[place + 1])}
      load={
        id !== null && !row
          ? {
              failure: t('openFailed'),
              error: query.isFetching ? undefined : (query.error ?? (loads ? undefined : GONE)),
              onRetry: () => void query.refetch(),
            }
          : undefined
      }
      onClose={onClose}
    >
      <Content resource={resource} row={row} newest={newest} known={known} onClose={onClose} />
    </DetailDrawer>
  );
}

const everything = () => ({});
const GONE = { status: 404, message: '' };

interface ContentProps<T extends Row> {
  resource: Resource<T>;
  row: T | undefined;
  newest: T | undefined;
  known: Values | null;
  onClose: () => void;
}

function Content<T extends Row>({ resource, row, newest, known, onClose }: ContentProps<T>) {
  const { Above, Instead, Form = ResourceForm } = resource;
  if (row && Instead?.when(row)) return <Instead.Part row={row} onClose={onClose} />;
  return (
    <>
      {newest && Above && <Above row={newest} onClose={onClose} />}
      <Form
        resource={resource}
        row={row}
        newest={newest}
        known={known ?? undefined}
        removal={newest && <RemoveAction resource={resource} row={newest} onDeleted={onClose} />}
        onClose={onClose}
      />
    </>
  );
}

/** Deletes a thing, for those who may. */
function RemoveAction<T extends Row>(props: { resource: Resource<T>; row: T; onDeleted: () => void }) {
  const { resource, row } = props;
  const person = useSelector(selectPerson);
  const { remove } = resource;
  if (remove === false || !callsOf(resource.key).remove || !mayDo(resource.key, 'delete', person)) return null;
  return remove?.allowed?.(row, person?.id) === false ? null : <DeleteAction {...props} />;
}
