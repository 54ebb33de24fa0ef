import { useLocalStorage } from '@mantine/hooks';
import { useSelector } from 'react-redux';
import { selectPerson } from '@/session/sessionSlice';

/** A search, filters, order and columns under a name. */
export interface SavedView {
  name: string;
  /** As it stands in the address. */
  query: string;
  /** Shown to who comes without another wish; at most one of a table. */
  usual?: boolean;
}

const keyOf = (personId: string | undefined, table: string) => `views.${personId ?? ''}.${table}`;

function viewsIn(text: string | null | undefined): SavedView[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  const fields = value as Partial<SavedView> | null;
  return typeof fields?.name === 'string' && typeof fields.query === 'string';
}

/** The views that a person has saved for a table in this browser. */
export const readSavedViews = (personId: string | undefined, table: string): SavedView[] =>
  viewsIn(localStorage.getItem(keyOf(personId, table)));

/** The person's views of a table, and how they change. A name stands for one view. */
export function useSavedViews(table: string) {
  const personId = useSelector(selectPerson)?.id;
  const [views, setViews] = useLocalStorage<SavedView[]>({
    key: keyOf(personId, table),
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: viewsIn,
  });
  return {
    views,
    /** Adds a view, or gives the one of this name what is on the screen now. */
    save: (view: SavedView) => setViews((all) => withView(all, view)),
    rename: (from: string, to: string) =>
      setViews((all) =>
        all.filter(({ name }) => name !== to).map((view) => (view.name === from ? { ...view, name: to } : view)),
      ),
    remove: (name: string) => setViews((all) => all.filter((view) => view.name !== name)),
    setUsual: (name: string | null) => setViews((all) => all.map((view) => ({ ...view, usual: view.name === name }))),
  };
}

function withView(views: SavedView[], view: SavedView): SavedView[] {
  const others = view.usual ? views.map((other) => ({ ...other, usual: false })) : views;
  return others.some(({ name }) => name === view.name)
    ? others.map((other) => (other.name === view.name ? view : other))
    : [...others, view];
}
