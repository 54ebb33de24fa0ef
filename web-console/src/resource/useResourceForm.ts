import { useMemo, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router';
import { useFormats } from '@/i18n/useFormats';
import { toastError, toastSuccess } from '@/lib/toast';
import { useEntityForm } from '@/lib/useEntityForm';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { callsOf, changesOf } from './calls';
import { idOf, type Resource, type Values } from './defineResource';
import { valueOf, type Row } from './fields';
import { mayDo, REGISTRY, type ResourceKey } from './registry';
import { schemaOf, type Wrong } from './schema';
import { useResourceTexts, type ResourceText } from './texts';
import { inputOf, valuesOf } from './values';

/** What is wrong with a field, in the resource's own words where it has some: for the field, and for the field's lack. */
function wrongText(
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

/** Loads a thing as it is now, and says when that fails. */
export function useNewest<T extends Row>(key: ResourceKey): (id: string) => Promise<T | undefined> {
  const dispatch = useDispatch();
  const { t } = useResourceTexts(key);
  return async (id) => {
    const { data } = await changesOf<T>(key, dispatch).newest(id);
    if (!data) toastError(t('openFailed'));
    return data;
  };
}

interface FormOptions<T> {
  /** The thing to change; undefined for a new one. */
  row: T | undefined;
  /** What of a new one is known beforehand. */
  initial?: Values;
  tab?: string | null;
  onClose: () => void;
}

/** The form of a resource: checked by the contract's rules, sent by its calls, merged with what others changed meanwhile. */
export function useResourceForm<T extends Row>(resource: Resource<T>, { row, initial, tab, onClose }: FormOptions<T>) {
  const plain = resource as unknown as Resource;
  const { key, form: layout = {} } = resource;
  const { t, has } = useResourceTexts(key);
  const formats = useFormats();
  const person = useSelector(selectPerson);
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const [base, setBase] = useState(row);
  const load = useNewest<T>(key);
  const isNew = base === undefined;
  const asked = (name: string) => {
    const { ability } = plain.fields[name] ?? {};
    return !ability || can(ability, person);
  };
  const words = useMemo(
    () => (name: string, message: string) => wrongText(name, message, t, has, (value) => formats.number(value)),
    [t, has, formats],
  );
  const isUnchanged = (values: Values) => base !== undefined && Object.keys(inputOf(plain, values, base)).length === 0;

  const form = useEntityForm<T, Values>({
    schema: schemaOf(plain, isNew, asked),
    values: { ...valuesOf(plain, row), ...(!row && initial) },
    namespace: REGISTRY[key].namespace,
    words,
    failure: t('saveFailed'),
    question: (values) => (isUnchanged(values) ? undefined : layout.question?.(values, base, t)),
    explain: (errors) => layout.explain?.(Object.keys(errors), t),
    readOnly: base && (!mayDo(key, 'update', person) || layout.readOnly?.(base)),
    tab,
    newest:
      base && callsOf(key).get
        ? async () => {
            const newest = await load(idOf(resource, base));
            if (newest) setBase(newest);
            return newest && valuesOf(plain, newest);
          }
        : undefined,
    send: (values) => {
      const calls = changesOf<T>(key, dispatch);
      const input = inputOf(plain, values, base);
      if (!base) return calls.create(input);
      if (isUnchanged(values)) return Promise.resolve({ data: base });
      return calls.update(idOf(resource, base), valueOf(base, 'row_version'), input);
    },
    onSaved: (saved) => {
      if (saved !== base) toastSuccess(row ? t('updated') : t('created'));
      layout.saved?.(saved, row, t);
      if (!row && resource.pathOf) void navigate(resource.pathOf(saved));
      else onClose();
    },
  });
  return { form, base };
}
