import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { monthOf, type Month } from './calendar';
import { CalendarEntry, type Entry } from './CalendarEntry';
import classes from './Calendar.module.css';

interface AgendaProps {
  month: Month;
  today: string;
  days: Map<string, Entry[]>;
  onOpen: (id: string) => void;
}

/** The days of a month on which there is something, one below the other. */
export function Agenda({ month, today, days, onOpen }: AgendaProps) {
  const { t } = useTranslation('maintenance');
  const formats = useFormats();
  const filled = [...days.keys()].filter((day) => monthOf(day) === month).sort();
  if (filled.length === 0) return <Text c="dimmed">{t('calendar.empty')}</Text>;
  return (
    <ol className={classes.agenda}>
      {filled.map((day) => (
        <li key={day}>
          <h3 className={classes.day} aria-current={day === today ? 'date' : undefined}>
            {day === today ? t('calendar.todayIs', { day: formats.date(day) }) : formats.date(day)}
          </h3>
          {days.get(day)?.map((entry) => (
            <CalendarEntry key={`${entry.kind} ${entry.row.id}`} entry={entry} onOpen={onOpen} />
          ))}
        </li>
      ))}
    </ol>
  );
}
