import { useWatch } from 'react-hook-form';
import { useSelector } from 'react-redux';
import { useMemo } from 'react';
import { NumberField } from '@/components/form/NumberField';
import { PasswordField } from '@/components/form/PasswordField';
import { SelectField } from '@/components/form/SelectField';
import { SwitchField } from '@/components/form/SwitchField';
import { TextAreaField } from '@/components/form/TextAreaField';
import { TextField } from '@/components/form/TextField';
import { lazyPart } from '@/lib/lazyPart';
import { selectPerson } from '@/session/sessionSlice';
import { choiceText } from './cells';
import type { Values } from './defineResource';
import { valueOf, type Field, type Row } from './fields';
import { useFormContext } from './formContext';
import { EntityInput } from './EntityInput';
import { emptyOthers } from './otherFields';
import { rulesOf } from './schema';
import type { Words } from './texts';
import { labelOf } from './useResourceView';
import { currencyOf, decimalsOf, isAsked, isWanted, mayEdit } from './values';

// Calendars are for the forms that have days.
const DateField = lazyPart(async () => (await import('@/components/form/DateField')).DateField<Values>);
const TagsField = lazyPart(async () => (await import('@/components/form/TagsField')).TagsField<Values>);

/** Whether the person at the screen is asked for a field. */
export function useIsAsked(): (name: string) => boolean {
  const { resource, row } = useFormContext();
  const person = useSelector(selectPerson);
  return (name) => isAsked(resource.fields[name] as Field | undefined, row, person);
}

/** The field of a form that a field of the resource is. */
export function FieldInput({ name }: { name: string }) {
  const { resource } = useFormContext();
  const asked = useIsAsked();
  const field = resource.fields[name] as Field | undefined;
  if (!field?.form || !asked(name)) return null;
  return field.form.only ? <Dependent name={name} field={field} /> : <Input name={name} field={field} />;
}

interface InputProps {
  name: string;
  field: Field;
}

/** A field that is asked for only while others have certain values. */
function Dependent({ name, field }: InputProps) {
  const { form } = useFormContext();
  const others = Object.keys(field.form?.only ?? {});
  const present = useWatch({ control: form.control, name: others });
  const values = Object.fromEntries(others.map((other, place) => [other, present[place] as unknown]));
  return isWanted(field, values) ? <Input name={name} field={field} /> : null;
}

const useNone = () => undefined;

function Input({ name, field }: InputProps) {
  const { resource, form, row, words } = useFormContext();
  const { t, language } = words;
  const options = field.form ?? {};
  // Whoever types redraws what depends on it, and not every field.
  const watched = dependencyOf(name, field);
  const value: unknown = useWatch({ control: form.control, name: watched ?? name, disabled: watched === undefined });
  const values = { [watched ?? name]: value };
  const present = String(valueOf(row, name) ?? '');
  const ofServer = ((field.kind === 'choice' && field.useChoices) || useNone)();
  const choices = useMemo(() => {
    if (field.kind !== 'choice') return [];
    if (field.labels) return field.labels(present, language);
    return field.values.map((each) => ({ value: each, label: choiceText(name, field, each, words) }));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- words are new with each drawing, and change with the language alone
  }, [field, name, present, language]);
  const rules = rulesOf(resource, name, form.getValues(), row === undefined);
  const editable = mayEdit(resource.key, field, row, useSelector(selectPerson));
  const props = {
    form: editable ? form : { ...form, readOnly: true },
    name,
    label: labelOf(name, field, String(form.getValues(resource.split?.by ?? '') ?? ''), words),
    description: helpOf(name, row, words),
    required: rules.required,
    first: options.first,
  };
  const input = () => {
    if (options.Input) return <options.Input {...props} />;
    switch (field.kind) {
      case 'number':
      case 'money':
        return (
          <NumberField
            {...props}
            per={field.kind === 'number' ? field.per : undefined}
            decimals={field.kind === 'number' && field.per ? undefined : decimalsOf(field, values)}
            unit={field.kind === 'money' ? currencyOf(field, values) : options.unit && t(options.unit)}
          />
        );
      case 'choice':
        return (
          <SelectField
            {...props}
            data={ofServer ?? choices}
            searchable={field.searchable}
            limit={field.searchable ? 50 : undefined}
            onChosen={() => emptyOthers(resource, form, field)}
          />
        );
      case 'flag':
        return <SwitchField {...props} />;
      case 'date':
        return <DateField {...props} clearable={!rules.required} />;
      case 'tags':
        return <TagsField {...props} />;
      case 'entity':
      case 'entities':
        return <EntityInput {...props} field={field} />;
      default: {
        if (field.kind === 'text' && field.secret) return <PasswordField {...props} />;
        const Line = options.multiline ? TextAreaField : TextField;
        // What is typed may have separators, which do not count.
        const maxLength = options.clean ? undefined : rules.maxLength;
        return <Line {...props} inputMode={options.inputMode} maxLength={maxLength} />;
      }
    }
  };
  const { Below } = options;
  return (
    <>
      {input()}
      {Below && <Below value={values[name] as never} row={row as never} />}
    </>
  );
}

/** The field of the form that this one depends on: the currency of an amount, or itself. */
function dependencyOf(name: string, field: Field): string | undefined {
  if (field.kind === 'money') return field.currency;
  return field.form?.Below && name;
}

/** What is said below a field: of a thing that there is, something else where the texts say it, with its numbers. */
export function helpOf(name: string, row: Row | undefined, { t, has, formats }: Words): string | undefined {
  const edit = `help.${name}_edit`;
  const key = row && has(edit) ? edit : `help.${name}`;
  if (!has(key)) return undefined;
  const changes = Object.entries(row ?? {}).map(([field, value]) => [
    field,
    typeof value === 'number' ? formats.number(value) : (value as unknown),
  ]);
  // Not as options: the names of fields may be those of i18next's own, as `lng` is.
  return t(key, { replace: Object.fromEntries(changes) as Record<string, unknown> });
}
