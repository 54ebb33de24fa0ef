import type { ReactNode } from 'react';
import { Moment } from '@/components/Moment';
import { StatusBadge } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import { inUnits } from '@/lib/perUnit';
import { valueOf, type ChoiceField, type Field, type Row } from './fields';
import { EntityName } from './names';
import type { Words } from './texts';

/** What a value of a choice is called; a value of a newer server is shown as it is, and `unspecified` is none. */
export function choiceText(name: string, { say }: ChoiceField, value: string, words: Words): string {
  if (say) return say(value, words);
  const key = `${name}.${value}`;
  return words.has(key) ? words.t(key) : value === 'unspecified' ? '' : value;
}

/** Yes or no, in the resource's own words where it has them. */
export function flagText(name: string, on: boolean, { t, has }: Words): string {
  const key = `${name}.${String(on)}`;
  return has(key) ? t(key) : t(on ? 'yes' : 'no');
}

/** What a field of a row says in a list. Nothing where there is nothing. */
export function cellOf(name: string, field: Field, row: Row, words: Words): ReactNode {
  const value = valueOf(row, name);
  if (field.kind === 'shown') return (field.cell as (row: Row, words: Words) => ReactNode)(row, words);
  if (!value && (field.kind === 'instant' || field.kind === 'entity') && field.none) return words.t(field.none);
  if (value === undefined || value === null || value === '') return null;
  switch (field.kind) {
    case 'text':
      return field.tabular ? <span className="tabular">{value as string}</span> : (value as string);
    case 'number':
      if (value === 0 && field.zeroIsUnknown) return null;
      return field.per
        ? words.formats.number(inUnits(value as number, field.per), 2)
        : words.formats.number(value as number, field.decimals);
    case 'money':
      return words.formats.money(value as number, String(valueOf(row, field.currency)));
    case 'instant':
      return field.exact ? <Moment at={value as string} /> : <TimeAgo at={value as string} />;
    case 'date':
      return words.formats.date(value as string);
    case 'choice': {
      const label = choiceText(name, field, value as string, words);
      const tone = field.tones?.[value as string];
      return tone && label ? <StatusBadge tone={tone}>{label}</StatusBadge> : label;
    }
    case 'flag':
      return flagText(name, value as boolean, words);
    case 'entity':
      return <EntityName of={field.of} id={value as string} />;
    case 'tags':
      return (value as string[]).join(', ');
    case 'entities':
      // Ids say nothing to anybody.
      return null;
  }
}
