import { createContext, use } from 'react';
import type { Resource, ResourceForm } from './defineResource';
import type { Row } from './fields';
import type { Words } from './texts';

/** What the parts of a resource's form know of it. */
export interface FormContent {
  resource: Resource;
  form: ResourceForm;
  /** Missing for a new thing. */
  row: Row | undefined;
  /** The same as it is now, for what is only shown. */
  newest: Row | undefined;
  words: Words;
}

/** Given by the form. */
export const FormContentContext = createContext<FormContent | null>(null);

/** The form that this stands in. */
export function useFormContext(): FormContent {
  const content = use(FormContentContext);
  if (!content) throw new Error('a field stands outside of a form');
  return content;
}
