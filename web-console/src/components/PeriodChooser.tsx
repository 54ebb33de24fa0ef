import { Button, Popover } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { IconCalendar, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { addDays, dayOf } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import type { ListParams } from '@/lib/listParams';
import { useNow } from '@/lib/useNow';
import { selectTimeZone } from '@/session/sessionSlice';
import classes from './PeriodChooser.module.css';
import { useCalendar } from './useCalendar';

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
  const [opened, setOpened] = useState(false);
  const chosen = (name: string) => params.filters[name]?.[0] ?? '';
  const period = { from: chosen('from'), to: chosen('to') };
  const spans = useSpans();
  const label = usePeriodName(period, spans);
  const put = (next: Period) => {
    onParams({ filters: withFilters(params.filters, next) });
    setOpened(false);
  };
  const isSet = period.from !== '' || period.to !== '';
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={isSet ? 'light' : 'default'}
          data-phone-icon={!isSet || undefined}
          aria-label={`${t('period.title')}: ${label}`}
          leftSection={<IconCalendar size={16} aria-hidden="true" />}
          rightSection={<IconChevronDown size={16} aria-hidden="true" />}
          className={classes.target}
          onClick={() => setOpened(!opened)}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('period.title')} className={classes.dropdown}>
        <div className={classes.spans}>
          {[ANYTIME, ...spans].map((span) => {
            const pressed = span.from === period.from && span.to === period.to;
            return (
              <Button
                key={span.from}
                size="compact-sm"
                variant={pressed ? 'light' : 'subtle'}
                aria-pressed={pressed}
                onClick={() => put({ from: span.from, to: span.to })}
              >
                {'name' in span ? span.name : t('period.anytime')}
              </Button>
            );
          })}
        </div>
        <Days period={period} onChange={put} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Two days, each of them empty where there is no end on that side. */
interface Period extends Record<string, string> {
  from: string;
  to: string;
}

const ANYTIME: Period = { from: '', to: '' };

/** What most ask for: some days, the last of them today. */
function useSpans(): (Period & { name: string })[] {
  const { t } = useTranslation('lists');
  const formats = useFormats();
  const today = dayOf(useNow(), useSelector(selectTimeZone));
  return SPANS.map((days) => ({
    from: addDays(today, 1 - days),
    to: today,
    name: days === 1 ? t('period.today') : t('period.days', { count: days, formatted: formats.number(days) }),
  }));
}

function usePeriodName({ from, to }: Period, spans: ReturnType<typeof useSpans>): string {
  const { t } = useTranslation('lists');
  const formats = useFormats();
  const span = spans.find((each) => each.from === from && each.to === to);
  if (span) return span.name;
  if (from && to) return from === to ? formats.date(from) : `${formats.date(from)} – ${formats.date(to)}`;
  if (from) return `${t('period.from')} ${formats.date(from)}`;
  return to ? `${t('period.to')} ${formats.date(to)}` : t('period.anytime');
}

/** Any days, chosen in a calendar. */
function Days({ period: { from, to }, onChange }: { period: Period; onChange: (period: Period) => void }) {
  // The first of two is kept here: a list from then on is not what is asked for.
  const [range, setRange] = useState<[string | null, string | null]>([from || null, to || null]);
  return (
    <DatePicker
      {...useCalendar()}
      type="range"
      allowSingleDateInRange
      defaultDate={from || to || undefined}
      value={range}
      onChange={(next) => {
        setRange(next);
        const [first, last] = next;
        if (first && last) onChange({ from: first, to: last });
      }}
    />
  );
}
