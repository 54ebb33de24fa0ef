import type { ReactNode } from 'react';
import { useFormats } from '@/i18n/useFormats';
import classes from './FilterChips.module.css';

interface FilterChipsProps<V extends string> {
  label: string;
  chips: { value: V; label: string; count: number; mark?: ReactNode }[];
  isPressed: (value: V) => boolean;
  onPress: (value: V) => void;
}

/** Kinds of things with how many there are of each; pressing one shows only those. */
export function FilterChips<V extends string>({ label, chips, isPressed, onPress }: FilterChipsProps<V>) {
  const formats = useFormats();
  return (
    <div role="group" aria-label={label} className={classes.chips}>
      {chips.map(({ value, label: name, count, mark }) => (
        <button
          key={value}
          type="button"
          className={classes.chip}
          aria-pressed={isPressed(value)}
          onClick={() => onPress(value)}
        >
          {mark}
          {name} <span className={classes.count}>{formats.number(count)}</span>
        </button>
      ))}
    </div>
  );
}
