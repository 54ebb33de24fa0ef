import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { DayInput } from '@/components/DayInput';
import { addDays, dayOf } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import type { ListParams } from '@/lib/listParams';
import { useNow } from '@/lib/useNow';
import { selectTimeZone } from '@/session/sessionSlice';
import classes from './AuditPage.module.css';

/** Days to look at, the last of them today. */
const SPANS = [1, 7, 30];
/** A year that is still being typed is earlier than this. */
const FIRST_YEAR = '2000';

interface AuditPeriodProps {
  params: ListParams;
  onParams: (change: Partial<ListParams>) => void;
}

/** From which day until which, both of them whole, by the tenant's clocks. */
export function AuditPeriod({ params, onParams }: AuditPeriodProps) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const timeZone = useSelector(selectTimeZone);
  const today = dayOf(useNow(), timeZone);
  const from = params.filters.from?.[0] ?? '';
  const to = params.filters.to?.[0] ?? '';
  const put = (days: { from?: string; to?: string }) => {
    const others = Object.entries(params.filters).filter(([name]) => name !== 'from' && name !== 'to');
    const chosen = Object.entries({ from, to, ...days }).filter(([, day]) => day !== '');
    onParams({ filters: Object.fromEntries([...others, ...chosen.map(([name, day]) => [name, [day]] as const)]) });
  };
  const typed = (name: 'from' | 'to') => (day: string) => {
    if (day === '' || day >= FIRST_YEAR) put({ [name]: day });
  };
  return (
    <div className={classes.period} role="group" aria-label={t('period.title')}>
      <DayInput
        label={t('period.from')}
        value={from}
        max={to || undefined}
        classNames={dayClasses}
        onChange={typed('from')}
      />
      <DayInput
        label={t('period.to')}
        value={to}
        min={from || undefined}
        classNames={dayClasses}
        onChange={typed('to')}
      />
      {SPANS.map((days) => {
        const first = addDays(today, 1 - days);
        return (
          <Button
            key={days}
            size="compact-sm"
            variant={from === first && to === today ? 'light' : 'subtle'}
            aria-pressed={from === first && to === today}
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

const dayClasses = { root: classes.day, label: classes.dayLabel };
