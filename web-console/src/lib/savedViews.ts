import { useLocalStorage } from '@mantine/hooks';
import { useSelector } from 'react-redux';
import {
  useCreateSavedViewMutation,
  useDeleteSavedViewMutation,
  useListSavedViewsQuery,
  useUpdateSavedViewMutation,
} from '@/api/calls/savedViews';
import type { SavedView } from '@/api/types';
import { selectPerson } from '@/session/sessionSlice';
import type { MutationResult } from './mutationResult';

/** The views that the server keeps of one screen for one person, and those shared with them, fit into one page. */
const ALL = 500;

/** The view that a browser begins a list with. */
interface UsualView {
  id: string;
  query: string;
}

const keyOf = (personId: string | undefined, list: string) => `usual_view.${personId ?? ''}.${list}`;

function usualIn(text: string | null | undefined): UsualView | null {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<UsualView> | null;
    return typeof value?.id === 'string' && typeof value.query === 'string' ? (value as UsualView) : null;
  } catch {
    return null;
  }
}

/** Of the address, what this browser's list begins with, known before the server is asked. */
export const readUsualView = (personId: string | undefined, list: string): string | undefined =>
  usualIn(localStorage.getItem(keyOf(personId, list)))?.query;

/** The views of a list, one's own and those that others share, and how they change. */
export function useSavedViews(screen: string) {
  const personId = useSelector(selectPerson)?.id;
  const { data, error } = useListSavedViewsQuery({ screen, sort: 'name', pageSize: ALL });
  const [create] = useCreateSavedViewMutation();
  const [update] = useUpdateSavedViewMutation();
  const [remove] = useDeleteSavedViewMutation();
  const [usual, setUsual, forgetUsual] = useLocalStorage<UsualView | null>({
    key: keyOf(personId, screen),
    defaultValue: null,
    getInitialValueInEffect: false,
    deserialize: usualIn,
  });
  const versionOf = ({ id, row_version }: SavedView) => ({ id, 'If-Match': String(row_version) });
  return {
    views: (data?.items ?? NO_VIEWS) as SavedView[],
    isOwn: (view: SavedView) => view.user_id === personId,
    error,
    usualId: usual?.id ?? null,
    add: (view: Pick<SavedView, 'name' | 'query' | 'is_shared'>) =>
      create({ body: { screen, ...view } }) as Promise<MutationResult<SavedView>>,
    change: (view: SavedView, part: Partial<Pick<SavedView, 'name' | 'query' | 'is_shared'>>) =>
      update({ ...versionOf(view), savedViewInput: part }) as Promise<MutationResult<SavedView>>,
    remove: (view: SavedView) => remove(versionOf(view)),
    setUsual: (view: SavedView | null) => (view ? setUsual({ id: view.id, query: view.query }) : forgetUsual()),
  };
}

const NO_VIEWS: SavedView[] = [];
