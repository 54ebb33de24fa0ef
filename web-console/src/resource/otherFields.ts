import type { Resource, ResourceForm } from './defineResource';
import { valueOf, type Field, type Row } from './fields';
import { emptyOf } from './values';

const fieldOf = (resource: Resource, name: string) => resource.fields[name] as Field | undefined;

const put = (form: ResourceForm, name: string, value: unknown) =>
  form.setValue(name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });

/** Empties the fields of a form that mean nothing any more, since another one has changed. */
export function emptyOthers(resource: Resource, form: ResourceForm, { form: options }: Field): void {
  for (const name of options?.resets ?? []) {
    const other = fieldOf(resource, name);
    if (other) put(form, name, emptyOf(other));
  }
}

/** What was taken over in a form by choices, which the next choice may replace. */
const filled = new WeakMap<object, Record<string, unknown>>();

/** What says nothing, of whatever kind it is. */
const isNothing = (value: unknown) => !value || value === 'unspecified';

/** Takes over what a thing that was chosen says, into the fields of which nobody has said anything yet. */
export function fillOthers(resource: Resource, form: ResourceForm, { form: options }: Field, chosen: Row): void {
  const earlier = filled.get(form.control) ?? {};
  filled.set(form.control, earlier);
  for (const [name, from] of Object.entries(options?.fills ?? {})) {
    const value = valueOf(chosen, from);
    const present: unknown = form.getValues(name);
    // With what a new thing begins, nobody has said.
    const begins = !isNothing(present) && !form.getFieldState(name).isDirty && isInitial(resource, name, present);
    const isOpen = isNothing(present) || begins || (name in earlier && earlier[name] === present);
    if (isNothing(value) || !isOpen) continue;
    put(form, name, value);
    earlier[name] = value;
  }
}

const isInitial = (resource: Resource, name: string, value: unknown) =>
  fieldOf(resource, name)?.form?.initial === value;
