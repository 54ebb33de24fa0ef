import type { Icon } from '@tabler/icons-react';
import { useSelector } from 'react-redux';
import { useNavigate } from 'react-router';
import { sortByName, useListQuery } from '@/resource/calls';
import { labelIn, mayDo, RESOURCE_ENTRIES, type ResourceEntry, type ResourceKey } from '@/resource/registry';
import { useNouns } from '@/resource/texts';
import { selectOtherUser, selectPerson } from '@/session/sessionSlice';

/** One thing that the server found. */
export interface SearchResult {
  id: string;
  label: string;
  description: string;
  icon: Icon;
  run: () => void;
  runOther?: () => void;
}

/** Shorter searches find everything. */
const SHORTEST = 2;
/** How many of each kind; typing narrows them. */
const RESULTS_PER_KIND = 5;

interface FoundRow {
  id: string;
}

/** What the registry has searched, in its order. */
const SEARCHED = RESOURCE_ENTRIES.flatMap(([key, entry]) =>
  entry.search && entry.place ? [{ key, entry, words: entry.search, icon: entry.place.icon }] : [],
);

/** Searches things by name, plate, IMEI or email, among those that this person may see. */
export function useEntitySearch(q: string) {
  const navigate = useNavigate();
  const nouns = useNouns();
  const person = useSelector(selectPerson);
  const otherUserId = useSelector(selectOtherUser);
  const none = q.length < SHORTEST;
  const paramsOf = (key: ResourceKey) => ({
    page: 1,
    page_size: RESULTS_PER_KIND,
    sort: sortByName(key),
    q,
    ...(key === 'devices' && otherUserId !== null && { userIds: [otherUserId] }),
  });
  // What is searched is always the same, so that these are always the same hooks.
  const answers = SEARCHED.map(({ key }) =>
    // eslint-disable-next-line react-hooks/rules-of-hooks
    useListQuery<FoundRow>(key, paramsOf(key), { skip: none || !mayDo(key, 'list', person) }),
  );
  const go = (address: string) => () => void navigate(address);
  const addressOf = ({ path }: ResourceEntry, id: string) => `${path}?open=${id}`;
  const groups = SEARCHED.map(({ key, entry, words, icon }, index) => ({
    title: nouns(key).Many,
    items: (answers[index]?.currentData?.items ?? []).map((thing): SearchResult => ({
      id: `${key}.${thing.id}`,
      label: labelIn(key, thing),
      description: words.flatMap((name) => (thing as unknown as Record<string, string>)[name] || []).join(' · '),
      icon,
      run: go(addressOf(entry, thing.id)),
      runOther: key === 'devices' ? go(`/maps?device_id=${thing.id}`) : undefined,
    })),
  }));
  return {
    groups: none ? [] : groups.filter(({ items }) => items.length > 0),
    loading: !none && answers.some(({ isFetching }) => isFetching),
    failed: !none && answers.some(({ isError }) => isError),
  };
}
