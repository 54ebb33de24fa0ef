import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LOCALES } from '@/i18n/format';
import { languageOf } from '@/i18n/languages';
import { useFormats } from '@/i18n/useFormats';
import { monthOf, type Month } from './calendar';
import { CalendarEntry, type Entry } from './CalendarEntry';
import classes from './Calendar.module.css';

/** Entries of a day that are seen at once. */
const FIRST = 3;

interface MonthGridProps {
  weeks: string[][];
  month: Month;
  /** What it is called. */
  name: string;
  today: string;
  days: Map<string, Entry[]>;
  onOpen: (id: string) => void;
}

/** A month as a table of weeks. */
export function MonthGrid({ weeks, month, name, today, days, onOpen }: MonthGridProps) {
  const { i18n } = useTranslation('maintenance');
  const locales = LOCALES[languageOf(i18n.language)];
  const weekday = (day: string, style: 'short' | 'long') =>
    new Intl.DateTimeFormat(locales, { weekday: style, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
  return (
    <div className={classes.frame}>
      <table className={classes.grid} aria-label={name}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" abbr={weekday(day, 'long')}>
                {weekday(day, 'short')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td
                  key={day}
                  data-other={monthOf(day) !== month || undefined}
                  data-today={day === today || undefined}
                  aria-current={day === today ? 'date' : undefined}
                >
                  <Day day={day} entries={days.get(day) ?? NONE} onOpen={onOpen} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const NONE: Entry[] = [];

interface DayProps {
  day: string;
  entries: Entry[];
  onOpen: (id: string) => void;
}

function Day({ day, entries, onOpen }: DayProps) {
  const { t } = useTranslation('maintenance');
  const formats = useFormats();
  const [all, showAll] = useState(false);
  const rest = entries.length - FIRST;
  const shown = all || rest <= 1 ? entries : entries.slice(0, FIRST);
  return (
    <>
      <time dateTime={day} className={classes.number}>
        {formats.number(Number(day.slice(8)))}
      </time>
      {shown.map((entry) => (
        <CalendarEntry key={`${entry.kind} ${entry.row.id}`} entry={entry} onOpen={onOpen} />
      ))}
      {shown.length < entries.length && (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={t('calendar.moreOf', { count: rest, formatted: formats.number(rest), day: formats.date(day) })}
          onClick={() => showAll(true)}
        >
          {t('calendar.more', { count: rest, formatted: formats.number(rest) })}
        </Button>
      )}
    </>
  );
}
