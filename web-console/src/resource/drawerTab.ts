import type { Resource } from './defineResource';
import type { Row } from './fields';

/** Stands in the address for the form of a thing that is not the first to be seen of it. */
export const EDIT = 'edit';

/** Whether a tab of a drawer is the form, or one of its own. */
export const isOfForm = <T extends Row>({ form }: Pick<Resource<T>, 'form'>, tab: string | null): boolean =>
  tab === EDIT || (tab !== null && tab in (form?.tabs ?? {}));
