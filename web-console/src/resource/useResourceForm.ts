import { useMemo, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router';
import type { Dispatch } from '@/api/direct';
import { useFormats } from '@/i18n/useFormats';
import type { MutationResult } from '@/lib/mutationResult';
import { toastError, toastSuccess } from '@/lib/toast';
import { useEntityForm } from '@/lib/useEntityForm';
import { selectPerson } from '@/session/sessionSlice';
import { callsOf, changesOf } from './calls';
import { idOf, type Resource, type SendParts, type Values } from './defineResource';
import { valueOf, type Field, type Row } from './fields';
import { REGISTRY } from './registry';
import { schemaOf, type Wrong } from './schema';
import { useResourceTexts, type ResourceText } from './texts';
import { formFields, inputOf, isAsked, mayEdit, valuesOf } from './values';

/** What is wrong with a field, in the resource's own words where it has some: for the field, and for the field's lack. */
export function wrongText(
  name: string,
  message: string,
  t: ResourceText,
  has: (key: string) => boolean,
  number: (value: number) => string,
): string {
  const { rule, limit } = JSON.parse(message) as Wrong;
  const own = rule === 'required' ? `validation.${name}_required` : `validation.${name}`;
  const specific = has(own) && rule !== 'maxLength';
  return t(specific ? own : `validation.${rule}`, { limit: limit === undefined ? '' : number(limit) });
}

/** Whether something is another version of a thing that stands in a form just the same. */
const isLater = (resource: Resource, now: Row, before: Row): boolean =>
  Number(valueOf(now, 'row_version')) > Number(valueOf(before, 'row_version')) &&
  JSON.stringify(valuesOf(resource, now)) === JSON.stringify(valuesOf(resource, before));

/** What of this may be typed here as well. */
const typeable = (resource: Resource, known: Values | undefined, asked: (field: Field) => boolean): Values =>
  Object.fromEntries(
    formFields(resource)
      .filter(
        ([name, field]) =>
          known?.[name] !== undefined && (isWritten(field) || isOneOf(field, known[name])) && asked(field),
      )
      .map(([name]) => [name, known?.[name]]),
  );
const isWritten = (field: Field) => (field.kind === 'text' && !field.secret) || field.kind === 'entity';
const isOneOf = (field: Field, value: unknown) => field.kind === 'choice' && field.values.includes(value as string);

/** A new thing, or a change of one, in one call. */
const sendOnce = <T extends Row>(resource: Resource<T>, { input, base, calls }: SendParts<T>) =>
  base ? calls.update(idOf(resource, base), valueOf(base, 'row_version'), input) : calls.create(input);

interface FormOptions<T> {
  /** The thing to change; undefined for a new one. */
  row: T | undefined;
  /** As it is now. */
  newest?: T;
  /** What of a new one is known beforehand, by the address: anybody may have written it. */
  known?: Values;
  /** What of a new one is known beforehand. */
  initial?: Values;
  tab?: string | null;
  onClose: () => void;
}

/** The form of a resource: checked by the contract's rules, sent by its calls, merged with what others changed meanwhile. */
export function useResourceForm<T extends Row>(
  resource: Resource<T>,
  { row, newest, known, initial, tab, onClose }: FormOptions<T>,
) {
  const plain = resource as unknown as Resource;
  const { key, form: layout = {} } = resource;
  const { t, has } = useResourceTexts(key);
  const formats = useFormats();
  const person = useSelector(selectPerson);
  const dispatch = useDispatch<Dispatch>();
  const partly = useRef<unknown>(undefined);
  const navigate = useNavigate();
  const [loaded, setBase] = useState(row);
  // What was changed elsewhere in the drawer, e.g. a secret, is no change of what stands in the form.
  const base = loaded && newest && isLater(plain, newest, loaded) ? newest : loaded;
  // A new thing of which only half could be saved is still new to who makes it.
  const shown = row && base;
  const sendIt = (parts: SendParts<T>) => sendOnce(resource, parts);
  const asked = (field: Field) => isAsked(field, shown, person) && mayEdit(key, field, shown, person);
  const words = useMemo(
    () => (name: string, message: string) => wrongText(name, message, t, has, (value) => formats.number(value, 2)),
    [t, has, formats],
  );
  const isUnchanged = (values: Values) => base !== undefined && Object.keys(inputOf(plain, values, base)).length === 0;

  const form = useEntityForm<T, Values>({
    schema: schemaOf(plain, base === undefined, asked),
    values: { ...valuesOf(plain, row), ...(!row && { ...typeable(plain, known, asked), ...initial }) },
    namespace: REGISTRY[key].namespace,
    words,
    failure: (error) => t(error === partly.current ? 'savedPartly' : 'saveFailed'),
    question: (values) => (isUnchanged(values) ? undefined : layout.question?.(values, shown, t, formats)),
    explain: (errors) => layout.explain?.(Object.keys(errors), t),
    readOnly: shown && (!formFields(plain).some(([, field]) => asked(field)) || layout.readOnly?.(shown, person)),
    tab,
    newest:
      base && callsOf(key).get
        ? async () => {
            const { data: theirs } = await changesOf<T>(key, dispatch).newest(idOf(resource, base));
            if (!theirs) return void toastError(t('openFailed'));
            return { values: valuesOf(plain, theirs), accept: () => setBase(theirs) };
          }
        : undefined,
    send: async (values) => {
      const input = inputOf(plain, values, base);
      if (base && isUnchanged(values) && !partly.current) return { data: base };
      const calls = changesOf<T>(key, dispatch);
      const answer = await (layout.send ?? sendIt)({ values, input, base, calls, dispatch, t });
      partly.current = undefined;
      if (answer.error === undefined) return answer as MutationResult<T>;
      if (answer.data) {
        // What has been done is not done again when the rest is tried once more.
        partly.current = answer.error;
        setBase(answer.data);
        for (const [name, field] of formFields(plain)) if (field.kind === 'text' && field.secret) form.resetField(name);
      }
      return { error: answer.error };
    },
    onSaved: (saved) => {
      if (saved !== base) toastSuccess(row ? t('updated') : (layout.created?.(form.getValues(), t) ?? t('created')));
      layout.saved?.(saved, row, t);
      if (!row && resource.pathOf) void navigate(resource.pathOf(saved));
      else onClose();
    },
  });
  return { form, base: shown };
}
