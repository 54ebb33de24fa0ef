import { Autocomplete } from '@mantine/core';
import { Controller } from 'react-hook-form';
import { useField, type FieldProps } from '@/components/form/field';
import type { Values } from '@/resource/defineResource';
import { useWordSuggestions, useWordText, type WordKind } from './words';

const LONGEST = 40;

/** A word of one's own, or one of those that are there. */
const WordField = ({ kind, ...props }: FieldProps<Values> & { kind: WordKind }) => {
  const text = useWordText();
  const words = useWordSuggestions()[kind];
  const field = useField(props, (value) => text(kind, String(value ?? '')));
  const labels = words.map((word) => text(kind, word));
  const stored = (typed: string) => words[labels.indexOf(typed)] ?? typed;
  return (
    <Controller
      control={props.form.control}
      name={props.name}
      render={({ field: { value, onChange, ...rest } }) => (
        <Autocomplete
          {...field}
          {...rest}
          data={labels}
          maxLength={LONGEST}
          value={text(kind, String(value ?? ''))}
          onChange={(typed) => onChange(stored(typed))}
        />
      )}
    />
  );
};

/** What people call how far it is. */
export const StatusField = (props: FieldProps<Values>) => <WordField {...props} kind="status" />;

/** What people call how urgent it is. */
export const PriorityField = (props: FieldProps<Values>) => <WordField {...props} kind="priority" />;
