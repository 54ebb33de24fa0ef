import { zodResolver } from '@hookform/resolvers/zod';
import { useCallback, useMemo, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import {
  get,
  useForm,
  type FieldError,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { $ZodType } from 'zod/v4/core';
import { fieldErrors } from '@/api/errors';
import { errorText } from '@/i18n/errorText';
import type { Namespace } from '@/i18n/i18n';
import { isVersionConflict, type MutationResult } from './mutationResult';

/** Something to agree to. */
interface Question {
  title: string;
  text: string;
  about?: ReactNode;
  confirm?: string;
  destructive?: boolean;
}

/** What a form of one thing is made of. */
export interface EntityFormOptions<T, V extends FieldValues> {
  /** What may be typed. Messages are keys of texts, because the language may change while the form is open. */
  schema: $ZodType<V, V>;
  /** What stands in the form at the beginning. */
  values: V;
  /** Where the schema's messages are found; others are named with their namespace, e.g. `common:validation.required`. */
  namespace: Namespace;
  /** Puts a message of the schema into words, where it is no key of a text. */
  words?: (name: string, message: string) => string;
  /** What could not be done, e.g. "Failed to save device."; may depend on how far it came. */
  failure: string | ((error: unknown) => string);
  send: (values: V) => Promise<MutationResult<T>>;
  onSaved: (saved: T, values: V) => void;
  /** What stands in the form after saving, when it stays where it is. */
  valuesAfter?: (saved: T) => V;
  /** Asked before anything is sent; may depend on what was typed. */
  question?: Question | ((values: V) => Question | undefined);
  /** The screen's own words for errors of the check before sending; without them, how many fields there are to look at. */
  explain?: (errors: FieldErrors<V>) => string | undefined;
  /** Shows, and changes nothing. */
  readOnly?: boolean;
  /** The tab in front at the beginning; null for the first. */
  tab?: string | null;
  /** Loads the thing as it is now, for when somebody else has changed it meanwhile; undefined when that fails. */
  newest?: () => Promise<NewestVersion<V> | undefined>;
}

/** A thing as somebody else has left it. */
export interface NewestVersion<V> {
  values: V;
  /** Changes are based on it from now on. Before it was decided what of it stays, they would take back what others did. */
  accept: () => void;
}

/** A field on the screen, as the summary of errors and the comparison of versions name and find it. */
export interface ShownField {
  label: string;
  /** The tab that it stands on, where the form has tabs. */
  tab: string | null;
  /** A value in words. */
  say: (value: unknown) => string;
}

/** A field that somebody else has changed meanwhile, in both versions. */
export interface ChangedField {
  name: string;
  label: string;
  theirs: string;
  mine: string;
  /** It was changed here as well. */
  both: boolean;
}

/** A form of one thing, as the field components and the drawer take it. */
export interface EntityForm<V extends FieldValues> extends UseFormReturn<V> {
  busy: boolean;
  dirty: boolean;
  readOnly: boolean;
  /** Why the form cannot be saved, as a whole. */
  problem: string | null;
  /** Somebody else changed the thing meanwhile: what differs, to be decided field by field. */
  conflict: { fields: ChangedField[] } | null;
  /** Takes over what they changed, but for the fields of which one's own version was chosen. Null decides nothing. */
  merge: (mine: string[] | null) => void;
  /** Every field that is wrong, in the order of the screen, in words. */
  wrong: { name: FieldPath<V>; label: string; message: string; tab: string | null }[];
  /** What is wrong with one field, in words. */
  message: (name: FieldPath<V>) => string | undefined;
  /** Field components tell that they are there, and take it back when they go. */
  announce: (name: string, field: ShownField) => () => void;
  /** Something of it is still on its way, e.g. a file: until the returned function is called, it is neither saved nor left unasked. */
  waitFor: () => () => void;
  /** The tab in front; null for the first. */
  tab: string | null;
  showTab: (tab: string | null) => void;
  /** Brings a field into sight and the keyboard to it. */
  goTo: (name: FieldPath<V>) => void;
  submit: (event: FormEvent) => void;
  /** The question that waits for an answer before the form is sent. */
  question: Question | null;
  answer: (yes: boolean) => void;
  /** Whether what is typed would be lost by leaving now. */
  holdsChanges: () => boolean;
}

/** A form whose fields the schema checks first and the server last; what the server says stands at its fields. */
export function useEntityForm<T, V extends FieldValues>(options: EntityFormOptions<T, V>): EntityForm<V> {
  const { t } = useTranslation();
  const { t: own } = useTranslation(options.namespace);
  const { words } = options;
  const form = useForm<V, unknown, V>({
    resolver: zodResolver(options.schema),
    // A thing that is loaded again must not change what somebody types.
    defaultValues: useState(() => options.values)[0] as never,
    shouldFocusError: false,
  });
  const { errors, isDirty } = form.formState;
  const [shown, setShown] = useState<Record<string, ShownField>>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState<{ values: V; question: Question } | null>(null);
  const [tab, showTab] = useState<string | null>(options.tab ?? null);
  const [theirs, setTheirs] = useState<NewestVersion<V> | null>(null);
  const saved = useRef(false);
  /** What is clicked in one task sees the same state. */
  const sending = useRef(false);

  const message = useCallback(
    (name: FieldPath<V>) => {
      const error = get(errors, name) as FieldError | undefined;
      if (!error?.message) return undefined;
      if (error.type === 'server') return error.message;
      return words ? words(name, error.message) : (own as (key: string) => string)(error.message);
    },
    [errors, own, words],
  );

  const wrong = useMemo(() => {
    const names = Object.keys(errors) as FieldPath<V>[];
    return names
      .map((name) => ({
        name,
        label: shown[name]?.label ?? '',
        tab: shown[name]?.tab ?? null,
        message: message(name) ?? '',
      }))
      .sort((a, b) => byPlace(a.name, b.name));
  }, [errors, shown, message]);

  const goTo = (name: FieldPath<V>) => {
    const place = shown[name]?.tab;
    // A field on a hidden tab cannot be focused.
    if (place) flushSync(() => showTab(place));
    form.setFocus(name);
  };

  const announce = useCallback((name: string, field: ShownField) => {
    setShown((present) => ({ ...present, [name]: field }));
    return () => setShown((present) => Object.fromEntries(Object.entries(present).filter(([other]) => other !== name)));
  }, []);

  const awaited = useRef(new Set<object>());
  const [isEarly, setEarly] = useState(false);
  const waitFor = useCallback(() => {
    const part = {};
    awaited.current.add(part);
    return () => {
      awaited.current.delete(part);
      if (awaited.current.size === 0) setEarly(false);
    };
  }, []);

  const { newest } = options;
  /** Loads what the thing is now, and shows what differs. */
  const compare = async () => {
    const version = await newest?.();
    if (version) setTheirs(version);
  };
  const conflict = theirs && { fields: differences(form, theirs.values, shown) };
  const merge = (mine: string[] | null) => {
    if (theirs && mine) {
      const typed = form.getValues();
      const alone = changedHere(form, theirs.values, shown);
      theirs.accept();
      form.reset(theirs.values);
      for (const name of [...mine, ...alone]) {
        form.setValue(name as FieldPath<V>, get(typed, name) as never, { shouldDirty: true });
      }
      setRefusal(null);
    }
    setTheirs(null);
  };

  const fail = (error: unknown) => {
    if (isVersionConflict(error)) {
      if (newest) void compare();
      return setRefusal(newest ? t('form.merge.text') : t('error.changedMeanwhile'));
    }
    const fieldMessages = Object.entries(fieldErrors(error));
    const here = fieldMessages.filter(([name]) => name in shown);
    for (const [name, text] of here) form.setError(name as FieldPath<V>, { type: 'server', message: text });
    // What is wrong with fields that are not on the screen is said above them all.
    const elsewhere = fieldMessages.filter(([name]) => !(name in shown)).map(([, text]) => text);
    const failure = typeof options.failure === 'function' ? options.failure(error) : options.failure;
    setRefusal([failure, errorText(error, t), ...elsewhere].join(' '));
  };

  const send = async (values: V) => {
    if (sending.current) return;
    sending.current = true;
    setRefusal(null);
    setBusy(true);
    const answer = await options.send(values);
    sending.current = false;
    setBusy(false);
    if (answer.error !== undefined) return fail(answer.error);
    if (options.valuesAfter) form.reset(options.valuesAfter(answer.data as T));
    else saved.current = true;
    options.onSaved(answer.data as T, values);
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (awaited.current.size > 0) return setEarly(true);
    void form.handleSubmit(
      (values) => {
        const question = typeof options.question === 'function' ? options.question(values) : options.question;
        return question ? setAsked({ values, question }) : send(values);
      },
      (found) => {
        setRefusal(null);
        const [first] = Object.keys(found)
          .filter((name) => name in shown)
          .sort(byPlace);
        if (first) goTo(first as FieldPath<V>);
      },
    )(event);
  };
  const unchecked = wrong.length === 0 ? null : (options.explain?.(errors) ?? t('form.check'));

  return {
    ...form,
    busy,
    dirty: isDirty,
    readOnly: options.readOnly ?? false,
    problem: isEarly ? t('form.uploading') : (refusal ?? unchecked),
    conflict,
    merge,
    wrong,
    message,
    announce,
    waitFor,
    tab,
    showTab,
    goTo,
    submit,
    question: asked?.question ?? null,
    answer: (yes) => {
      if (yes && asked) void send(asked.values);
      setAsked(null);
    },
    holdsChanges: () => (isDirty || awaited.current.size > 0) && !saved.current,
  };
}

/** As the fields stand on the screen, whenever they came there. */
function byPlace(a: string, b: string): number {
  const [one, other] = [a, b].map((name) => [...document.getElementsByName(name)].at(-1));
  if (!one || !other) return 0;
  return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The fields on the screen that were changed here and nowhere else: they stay as they were typed. */
function changedHere<V extends FieldValues>(
  form: UseFormReturn<V, unknown, V>,
  theirs: V,
  shown: Record<string, ShownField>,
): string[] {
  const [typed, before] = [form.getValues(), form.formState.defaultValues];
  return Object.keys(shown).filter((name) => {
    const [now, mine, was] = [theirs, typed, before].map((values) => get(values, name) as unknown);
    return same(now, was) && !same(mine, was);
  });
}

/** The fields on the screen that are other now than the form began with, and than what stands in it. */
function differences<V extends FieldValues>(
  form: UseFormReturn<V, unknown, V>,
  theirs: V,
  shown: Record<string, ShownField>,
): ChangedField[] {
  const typed = form.getValues();
  const before = form.formState.defaultValues;
  return Object.entries(shown).flatMap(([name, { label, say }]) => {
    const [now, mine, was] = [theirs, typed, before].map((values) => get(values, name) as unknown);
    if (same(now, was) || same(now, mine)) return [];
    return [{ name, label, theirs: say(now), mine: say(mine), both: !same(mine, was) }];
  });
}
