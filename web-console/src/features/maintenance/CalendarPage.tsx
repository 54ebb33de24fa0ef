import { ActionIcon, Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListMaintenanceQuery } from '@/api/calls/maintenance';
import { useListMaintenanceLogsQuery } from '@/api/calls/maintenanceLogs';
import { ErrorState } from '@/components/ErrorState';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { LOCALES } from '@/i18n/format';
import { languageOf } from '@/i18n/languages';
import { dayOf } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import { useAddress } from '@/lib/address';
import { byDay } from '@/lib/byDay';
import { knownOfNew, useDrawerParam } from '@/lib/drawerParam';
import { useNow } from '@/lib/useNow';
import { useTitle } from '@/lib/useTitle';
import { StackedDrawers } from '@/resource/StackedDrawers';
import { mayDo } from '@/resource/registry';
import { ResourceDrawer } from '@/resource/ResourceDrawer';
import { selectPerson, selectTimeZone } from '@/session/sessionSlice';
import { useIsPhone } from '@/theme/breakpoints';
import { Agenda } from './Agenda';
import { addMonths, monthIn, monthOf, weeksOf, type Month } from './calendar';
import classes from './Calendar.module.css';
import type { Entry } from './CalendarEntry';
import resource from './maintenance.resource';
import { MaintenanceTabs } from './MaintenanceTabs';
import { MonthGrid } from './MonthGrid';

/** As many as one answer has. */
const PAGE_MAX = 500;

/** What is due when, by date or forecast, and what was done: a month at a time. */
export function CalendarPage() {
  const { t } = useTranslation('maintenance');
  useTitle(t('calendar.title'));
  if (!mayDo('maintenance', 'list', useSelector(selectPerson))) return <NoAccess text={t('calendar.noAccess')} />;
  return <Calendar />;
}

/** Which month is looked at, as the address says. */
function useMonth(today: string): [Month, (month: Month) => void] {
  const { search, change } = useAddress();
  const present = monthOf(today);
  const show = (month: Month) =>
    change((next) => (month === present ? next.delete('month') : next.set('month', month)), 'push');
  return [monthIn(search.get('month'), present), show];
}

/** What there is on the days of some weeks. */
function useEntries(from: string, until: string) {
  const mayList = mayDo('maintenance-logs', 'list', useSelector(selectPerson));
  const page = { page: 1, pageSize: PAGE_MAX };
  const options = { refetchOnMountOrArgChange: true };
  const due = useListMaintenanceQuery(
    { expectedFrom: from, expectedUntil: until, sort: 'expected_on', ...page },
    options,
  );
  const done = useListMaintenanceLogsQuery({ from, until, sort: 'done_on', ...page }, { ...options, skip: !mayList });
  const days = useMemo(() => {
    const entries: Entry[] = [
      ...(due.currentData?.items ?? []).map((row): Entry => ({ kind: 'due', day: row.expected_on, row })),
      ...(done.currentData?.items ?? []).map((row): Entry => ({ kind: 'done', day: row.done_on, row })),
    ];
    return byDay(entries, ({ day }) => day);
  }, [due.currentData, done.currentData]);
  const left = Math.max(0, (due.currentData?.total ?? 0) - PAGE_MAX);
  return { days, left, loading: !due.currentData, error: due.error, retry: () => void due.refetch() };
}

function Calendar() {
  const { t, i18n } = useTranslation('maintenance');
  const formats = useFormats();
  const today = dayOf(useNow(), useSelector(selectTimeZone));
  const [month, show] = useMonth(today);
  const [open, setOpen] = useDrawerParam();
  const phone = useIsPhone();
  const weeks = useMemo(() => weeksOf(month), [month]);
  const [from, until] = [weeks[0]?.[0] ?? '', weeks.at(-1)?.at(-1) ?? ''];
  const { days, left, loading, error, retry } = useEntries(from, until);
  const name = new Intl.DateTimeFormat(LOCALES[languageOf(i18n.language)], {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`));
  const step = (months: number, label: string, Shape: typeof IconChevronLeft) => (
    <ActionIcon variant="default" size={36} aria-label={label} onClick={() => show(addMonths(month, months))}>
      <Shape size={18} aria-hidden="true" />
    </ActionIcon>
  );
  const content = () => {
    if (error) return <ErrorState title={t('calendar.failed')} error={error} onRetry={retry} />;
    if (loading) return <Skeleton height={320} />;
    const shown = { days, today, month, onOpen: setOpen };
    return phone ? <Agenda {...shown} /> : <MonthGrid {...shown} weeks={weeks} name={name} />;
  };
  return (
    <Page>
      <PageHeader title={t('calendar.title')} text={t('calendar.intro')} />
      <MaintenanceTabs />
      <Group gap="xs">
        {step(-1, t('calendar.previous'), IconChevronLeft)}
        {step(1, t('calendar.next'), IconChevronRight)}
        <Button variant="default" disabled={month === monthOf(today)} onClick={() => show(monthOf(today))}>
          {t('calendar.today')}
        </Button>
        <Title order={2} className={classes.month} aria-live="polite">
          {name}
        </Title>
      </Group>
      {content()}
      {left > 0 && <Text c="dimmed">{t('calendar.left', { count: left, formatted: formats.number(left) })}</Text>}
      {open && !knownOfNew(open) && (
        <ResourceDrawer key={open} resource={resource} open={open} onShow={setOpen} onClose={() => setOpen(null)} />
      )}
      <StackedDrawers />
    </Page>
  );
}
