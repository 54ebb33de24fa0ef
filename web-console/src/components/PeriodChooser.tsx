import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { addDays, dayOf } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import type { ListParams } from '@/lib/listParams';
import { isWholeDay } from '@/lib/daySpan';
import { useNow } from '@/lib/useNow';
import { selectTimeZone } from '@/session/sessionSlice';
import { DayInput } from './DayInput';
import classes from './PeriodChooser.module.css';

/** Days to look at, the last of them today. */
const SPANS = [1, 7, 30];

interface PeriodChooserProps {
  params: ListParams;
  onParams: (change: Partial<ListParams>) => void;
}

/** These filters instead of those that were there; what is empty is none. */
export function withFilters(filters: ListParams['filters'], values: Record<string, string>): ListParams['filters'] {
  const changed = Object.entries(values).map(([name, value]) => [name, value ? [value] : []] as const);
  const all = Object.entries({ ...filters, ...Object.fromEntries(changed) });
  return Object.fromEntries(all.filter(([, found]) => found.length > 0));
}

/** From which day until which a list goes, `from` and `to` of the address: both of them whole, by the tenant's clocks. */
export function PeriodChooser({ params, onParams }: PeriodChooserProps) {
  const { t } = useTranslation('lists');
  const formats = useFormats();
  const timeZone = useSelector(selectTimeZone);
  const today = dayOf(useNow(), timeZone);
  const chosen = (name: string) => params.filters[name]?.[0] ?? '';
  const [from, to] = [chosen('from'), chosen('to')];
  const put = (values: Record<string, string>) => onParams({ filters: withFilters(params.filters, values) });
  const day = (name: 'from' | 'to') => ({
    label: t(`period.${name}`),
    value: chosen(name),
    classNames: { root: classes.day, label: classes.dayLabel, wrapper: classes.dayField },
    onChange: (typed: string) => {
      if (typed === '' || isWholeDay(typed)) put({ [name]: typed });
    },
  });
  return (
    <div className={classes.bar} role="group" aria-label={t('period.title')}>
      <DayInput {...day('from')} max={to || undefined} />
      <DayInput {...day('to')} min={from || undefined} />
      {SPANS.map((days) => {
        const first = addDays(today, 1 - days);
        const pressed = from === first && to === today;
        return (
          <Button
            key={days}
            size="compact-sm"
            variant={pressed ? 'light' : 'subtle'}
            aria-pressed={pressed}
            onClick={() => put({ from: first, to: today })}
          >
            {days === 1 ? t('period.today') : t('period.days', { count: days, formatted: formats.number(days) })}
          </Button>
        );
      })}
      {(from || to) && (
        <Button size="compact-sm" variant="subtle" onClick={() => put({ from: '', to: '' })}>
          {t('period.anytime')}
        </Button>
      )}
    </div>
  );
}
