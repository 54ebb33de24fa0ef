import { Button, Group } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { DetailDrawer, type DrawerLoad } from '@/components/DetailDrawer';
import { copiedId, copyOf, knownOfNew } from '@/lib/drawerParam';
import { useFreshSnapshot } from '@/lib/useFreshSnapshot';
import { usePolling } from '@/lib/usePolling';
import { selectPerson } from '@/session/sessionSlice';
import { callsOf, useListQuery, useOneQuery } from './calls';
import { DeleteAction } from './DeleteAction';
import { idOf, nameOf, type Resource, type Values } from './defineResource';
import type { Row } from './fields';
import { mayDo } from './registry';
import { OpenAsPage } from './OpenAsPage';
import { ResourceForm } from './ResourceForm';
import { DrawerTabs } from './DrawerTabs';
import { useResourceTexts } from './texts';
import { valuesOf } from './values';

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
  const copied = useCopied(resource, open);
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
      actions={resource.page && id !== null && <OpenAsPage of={resource.key} id={id} />}
      title={id === null ? t('createTitle') : shown ? nameOf(resource, shown, texts) : t('title')}
      subtitle={shown && Subtitle && <Subtitle row={newest ?? shown} />}
      previous={place < 0 ? undefined : to(neighbours[place - 1])}
      next={place < 0 ? undefined : to(neighbours[place + 1])}
      load={
        copied.load ??
        (id !== null && !row
          ? {
              failure: t('openFailed'),
              error: query.isFetching ? undefined : (query.error ?? (loads ? undefined : GONE)),
              onRetry: () => void query.refetch(),
            }
          : undefined)
      }
      onClose={onClose}
    >
      <Content
        resource={resource}
        row={row}
        newest={newest}
        known={known}
        initial={copied.initial}
        onCopy={onShow && (() => onShow(copyOf(open)))}
        onClose={onClose}
      />
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
  initial: Values | undefined;
  onCopy: (() => void) | undefined;
  onClose: () => void;
}

function Content<T extends Row>({ resource, row, newest, known, initial, onCopy, onClose }: ContentProps<T>) {
  const { Above, Instead, Form = ResourceForm } = resource;
  if (row && Instead?.when(row)) return <Instead.Part row={row} onClose={onClose} />;
  const form = (
    <Form
      resource={resource}
      row={row}
      newest={newest}
      known={known ?? undefined}
      initial={initial}
      removal={
        newest && (
          <Group gap="2xs">
            <RemoveAction resource={resource} row={newest} onDeleted={onClose} />
            {onCopy && <CopyAction resource={resource} onCopy={onCopy} />}
          </Group>
        )
      }
      onClose={onClose}
    />
  );
  if (row && newest && resource.now) return <DrawerTabs resource={resource} row={newest} form={form} />;
  return (
    <>
      {newest && Above && <Above row={newest} onClose={onClose} />}
      {form}
    </>
  );
}

/** Deletes a thing, for those who may. */
function RemoveAction<T extends Row>(props: { resource: Resource<T>; row: T; onDeleted: () => void }) {
  const { resource, row } = props;
  const person = useSelector(selectPerson);
  const { remove } = resource;
  if (remove === false || !callsOf(resource.key).remove || !mayDo(resource.key, 'delete', person)) return null;
  if (remove?.allowed?.(row, person) === false) return null;
  const { Action = DeleteAction } = remove ?? {};
  return <Action {...props} />;
}

/** Begins another thing like this one, for those who may make some. */
function CopyAction<T extends Row>({ resource, onCopy }: { resource: Resource<T>; onCopy: () => void }) {
  const { t } = useResourceTexts(resource.key);
  const person = useSelector(selectPerson);
  if (!resource.duplicate || resource.noCreate || !mayDo(resource.key, 'create', person)) return null;
  return (
    <Button variant="subtle" leftSection={<IconCopy size={16} aria-hidden="true" />} onClick={onCopy}>
      {t('duplicate')}
    </Button>
  );
}

/** What a new thing takes over from the one that it is a copy of; `load` until that is there. */
function useCopied<T extends Row>(resource: Resource<T>, open: string): { initial?: Values; load?: DrawerLoad } {
  const { t } = useResourceTexts(resource.key);
  const id = resource.duplicate ? copiedId(open) : null;
  const one = useOneQuery<T>(resource.key, id);
  const { currentData: row } = one;
  const initial = useMemo(() => row && copyValues(resource as unknown as Resource, row), [resource, row]);
  if (id === null || row) return { initial };
  const error = one.isFetching ? undefined : one.error;
  return { load: { failure: t('openFailed'), error, onRetry: () => void one.refetch() } };
}

function copyValues(resource: Resource, row: Row): Values {
  const without = resource.duplicate?.without ?? [];
  const values = Object.entries(valuesOf(resource, row));
  return Object.fromEntries(values.filter(([name]) => !without.includes(name)));
}
