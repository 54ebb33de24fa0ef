import type { CSSProperties, ReactNode } from 'react';
import { useFormats } from '@/i18n/useFormats';
import classes from './FilterChips.module.css';

interface FilterChipsProps<V extends string> {
  label: string;
  chips: { value: V; label: string; count: number; mark?: ReactNode }[];
  /** The highest count that there may be: room is kept for it, so that other counts move nothing. */
  widest?: number;
  isPressed: (value: V) => boolean;
  onPress: (value: V) => void;
}

/** Kinds of things with how many there are of each; pressing one shows only those. */
export function FilterChips<V extends string>({ label, chips, widest = 0, isPressed, onPress }: FilterChipsProps<V>) {
  const formats = useFormats();
  const room = { '--count-width': `${formats.number(widest).length}ch` } as CSSProperties;
  return (
    <div role="group" aria-label={label} className={classes.chips} style={room}>
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
