import { Badge, Checkbox, CloseButton, Pagination, Skeleton, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceMember } from '@/api/generated';
import { ErrorState } from '@/components/ErrorState';
import { useFormats } from '@/i18n/useFormats';
import { useTotal } from '@/i18n/useTotal';
import { useListQuery } from '@/resource/calls';
import classes from './DeviceMembers.module.css';

const PAGE_SIZE = 25;
const TYPING_MS = 250;

/** The links whose devices are chosen, by the devices' ids. */
export type Chosen = ReadonlyMap<string, DeviceMember>;

/** What a list of links is asked for. */
export type MembersQuery = Readonly<Record<string, string | string[] | undefined>>;

/** A page of links, sorted by device; nothing where nothing is asked for. */
export const useMembers = (query: MembersQuery | null, { page = 1, q = '' } = {}) =>
  useListQuery<DeviceMember>(
    'device-members',
    { ...query, page, page_size: PAGE_SIZE, sort: 'device', q },
    { skip: query === null, refetchOnMountOrArgChange: true },
  );

interface DeviceSideProps {
  title: string;
  /** What is listed; null while it is not known of whom. */
  query: MembersQuery | null;
  /** Said until then, and where there is nothing. */
  waiting: string;
  empty: string;
  chosen: Chosen;
  onChosen: (chosen: Chosen) => void;
  /** All of it is chosen, whatever is on the screen. */
  everything?: boolean;
  /** Nothing may be chosen here. */
  readOnly?: boolean;
  /** What is said of a link besides its device. */
  say: (member: DeviceMember) => (string | false | undefined)[];
  /** Below the search, e.g. what chooses all of it. */
  children?: (total: number, formatted: string) => ReactNode;
}

/** Devices of one side: searched and paged by the server, chosen over all pages. */
export function DeviceSide(props: DeviceSideProps) {
  const { t } = useTranslation('deviceMembers');
  const formats = useFormats();
  const totalText = useTotal();
  const id = useId();
  const [q, setQ] = useState('');
  const [page, setPage] = useState(1);
  const list = useMembers(props.query, { page, q });
  const { data, error } = list;
  const total = props.query ? (data?.total ?? 0) : 0;
  const formatted = totalText(total, data?.more_than_total);
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  return (
    <section className={classes.side} aria-labelledby={id}>
      <div className={classes.sideHead}>
        <h2 id={id} className={classes.sideTitle}>
          {props.title}
          {props.query && data && (
            <Badge variant="default" radius="sm" className="tabular">
              {formatted}
            </Badge>
          )}
        </h2>
        {props.query && (
          <Search
            label={t('manager.search', { list: props.title })}
            onSearch={(text) => {
              setQ(text);
              setPage(1);
            }}
          />
        )}
        {props.query && q === '' && total > 0 && props.children?.(total, formatted)}
      </div>
      {!props.query ? (
        <Text c="dimmed" p="md">
          {props.waiting}
        </Text>
      ) : error && !data ? (
        <ErrorState title={t('loadFailed')} error={error} onRetry={() => void list.refetch()} />
      ) : (
        <Rows {...props} members={data?.items} searching={q !== ''} stale={list.isFetching} />
      )}
      {pages > 1 && (
        <div className={classes.sideFoot}>
          <Text size="sm" c="dimmed" className="tabular">
            {t('manager.page', { page: formats.number(page), pages: formats.number(pages) })}
          </Text>
          <Pagination size="sm" siblings={0} boundaries={1} total={pages} value={page} onChange={setPage} />
        </div>
      )}
    </section>
  );
}

function Search({ label, onSearch }: { label: string; onSearch: (q: string) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const search = useDebouncedCallback(onSearch, TYPING_MS);
  const change = (typed: string) => {
    setText(typed);
    search(typed.trim());
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      rightSection={text && <CloseButton size="sm" aria-label={t('action.clear')} onClick={() => change('')} />}
    />
  );
}

interface RowsProps extends DeviceSideProps {
  members: DeviceMember[] | undefined;
  searching: boolean;
  stale: boolean;
}

function Rows({ members, searching, stale, chosen, onChosen, everything, readOnly, say, ...props }: RowsProps) {
  const { t } = useTranslation('deviceMembers');
  const { t: common } = useTranslation();
  if (!members)
    return (
      <div className={classes.row} aria-busy="true">
        <Skeleton height={36} />
      </div>
    );
  if (members.length === 0)
    return (
      <Text c="dimmed" p="md">
        {searching ? common('table.nothingFound') : props.empty}
      </Text>
    );
  const choose = (some: DeviceMember[], on: boolean) => {
    const next = new Map(chosen);
    for (const member of some) {
      if (on) next.set(member.device_id, member);
      else next.delete(member.device_id);
    }
    onChosen(next);
  };
  const present = members.filter(({ device_id: id }) => chosen.has(id)).length;
  return (
    <>
      {!everything && !readOnly && (
        <div className={classes.row} data-page>
          <Checkbox
            label={t('manager.selectPage')}
            checked={present === members.length}
            indeterminate={present > 0 && present < members.length}
            onChange={(event) => choose(members, event.currentTarget.checked)}
          />
        </div>
      )}
      <ul className={classes.rows} data-stale={stale || undefined} aria-label={props.title} aria-busy={stale}>
        {members.map((member) => (
          <li key={member.id} className={classes.row}>
            <Checkbox
              label={member.device_name}
              description={say(member).filter(Boolean).join(' · ')}
              checked={everything || chosen.has(member.device_id)}
              disabled={everything || readOnly}
              onChange={(event) => choose([member], event.currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
