import { Button } from '@mantine/core';
import { IconRefresh, IconShieldCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { DayInput } from '@/components/DayInput';
import { addDays, dayOf } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import type { ToolbarProps } from '@/resource/defineResource';
import { selectTimeZone } from '@/session/sessionSlice';
import { VerifyDialog } from './VerifyDialog';
import classes from './AuditToolbar.module.css';

/** Days to look at, the last of them today. */
const SPANS = [1, 7, 30];
/** A year that is still being typed is earlier than this. */
const FIRST_YEAR = '2000';

/** From which day until which, both of them whole, by the tenant's clocks; the newest entries; and the check. */
export function AuditToolbar({ params, onParams, onRefresh }: ToolbarProps) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const timeZone = useSelector(selectTimeZone);
  const [verifying, setVerifying] = useState(false);
  const today = dayOf(useNow(), timeZone);
  const chosen = (name: string) => params.filters[name]?.[0] ?? '';
  const [from, to] = [chosen('from'), chosen('to')];
  /** Narrows by these, and by what is empty no more. */
  const put = (values: Record<string, string>) => {
    const changed = Object.entries(values).map(([name, value]) => [name, value ? [value] : []] as const);
    const filters = Object.entries({ ...params.filters, ...Object.fromEntries(changed) });
    onParams({ filters: Object.fromEntries(filters.filter(([, found]) => found.length > 0)) });
  };
  const day = (name: 'from' | 'to') => ({
    label: t(`period.${name}`),
    value: chosen(name),
    classNames: { root: classes.day, label: classes.dayLabel, wrapper: classes.dayField },
    onChange: (typed: string) => {
      if (typed === '' || typed >= FIRST_YEAR) put({ [name]: typed });
    },
  });
  const look = { size: 'compact-sm', variant: 'subtle' } as const;
  return (
    <div className={classes.bar}>
      <div className={classes.bar} role="group" aria-label={t('period.title')}>
        <DayInput {...day('from')} max={to || undefined} />
        <DayInput {...day('to')} min={from || undefined} />
        {SPANS.map((days) => {
          const first = addDays(today, 1 - days);
          const pressed = from === first && to === today;
          return (
            <Button
              key={days}
              {...look}
              variant={pressed ? 'light' : 'subtle'}
              aria-pressed={pressed}
              onClick={() => put({ from: first, to: today })}
            >
              {days === 1 ? t('period.today') : t('period.days', { count: days, formatted: formats.number(days) })}
            </Button>
          );
        })}
        {(from || to) && (
          <Button {...look} onClick={() => put({ from: '', to: '' })}>
            {t('period.anytime')}
          </Button>
        )}
      </div>
      {chosen('object_id') && (
        <Button
          {...look}
          variant="light"
          rightSection={<IconX size={14} aria-hidden="true" />}
          onClick={() => put({ object_id: '' })}
        >
          {t('onlyThisObject')}
        </Button>
      )}
      <Button {...look} leftSection={<IconRefresh size={14} aria-hidden="true" />} onClick={onRefresh}>
        {t('refresh')}
      </Button>
      <Button
        {...look}
        variant="default"
        leftSection={<IconShieldCheck size={14} aria-hidden="true" />}
        onClick={() => setVerifying(true)}
      >
        {t('verify.action')}
      </Button>
      {verifying && <VerifyDialog tenantId={chosen('tenant_id')} onClose={() => setVerifying(false)} />}
    </div>
  );
}
