import { Loader, Select } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState, type ReactNode, type Ref } from 'react';

/** One thing to choose. */
export interface Option {
  value: string;
  label: string;
  /** Under which heading it stands; options of one heading follow each other. */
  group?: string;
}

/** What every select of a thing is given. */
export interface EntityFieldProps {
  label: string;
  description?: string;
  required?: boolean;
  clearable?: boolean;
  error?: ReactNode;
  readOnly?: boolean;
  variant?: string;
  'data-autofocus'?: boolean;
  placeholder?: string;
  ref?: Ref<HTMLInputElement>;
  onBlur?: () => void;
  value: string;
  onChange: (value: string) => void;
}

interface EntitySelectProps extends EntityFieldProps {
  options: Option[];
  loading: boolean;
  /** What is said when the options could not be had. */
  failure?: string;
  /** Asks for the options that match what was typed. */
  onSearch: (q: string) => void;
  /** The option of the present value, which a search may not have found. */
  current?: Option;
}

/** How many options a select offers at once; typing narrows them. */
export const SELECT_CHOICES = 50;
const TYPING_MS = 250;

/** Chooses one thing out of as many as there may be: the server searches. */
export function EntitySelect({
  options,
  loading,
  failure,
  onSearch,
  current,
  value,
  onChange,
  ...rest
}: EntitySelectProps) {
  const [typed, setTyped] = useState('');
  const [picked, setPicked] = useState<Option | undefined>();
  const search = useDebouncedCallback(onSearch, TYPING_MS);
  const known = [current, picked].find((option) => option?.value === value);
  const data = known && !options.some((option) => option.value === known.value) ? [known, ...options] : options;
  return (
    <Select
      {...rest}
      error={rest.error ?? failure}
      searchable
      // A form that begins with it is seen whole first.
      openOnFocus={false}
      value={value || null}
      data={grouped(data)}
      // The server has filtered already.
      filter={({ options: all }) => all}
      searchValue={typed}
      onSearchChange={(text) => {
        setTyped(text);
        // The text of the chosen option stands in the field; it is no search.
        search(text === known?.label ? '' : text.trim());
      }}
      onChange={(chosen, option) => {
        setPicked(chosen ? { value: chosen, label: option?.label ?? '' } : undefined);
        onChange(chosen ?? '');
      }}
      rightSection={loading ? <Loader size={16} /> : rest.readOnly ? <></> : undefined}
    />
  );
}

/** The options under their headings, in the order in which the headings first come. */
function grouped(options: Option[]): (Option | { group: string; items: Option[] })[] {
  if (!options.some(({ group }) => group)) return options;
  const headings = [...new Set(options.map(({ group }) => group ?? ''))];
  return headings.map((heading) => ({
    group: heading,
    items: options.filter(({ group }) => (group ?? '') === heading).map(({ value, label }) => ({ value, label })),
  }));
}
