import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '@/api/download';
import type { LinkDevicesReport, LinkedDevice } from '@/api/generated';
import { DataTablePager } from '@/components/DataTablePager';
import table from '@/components/PlainTable.module.css';
import { SearchInput } from '@/components/SearchInput';
import { StatusBadge, type StatusTone } from '@/components/StatusBadge';
import { SummaryCards } from '@/components/SummaryCards';
import { useFormats } from '@/i18n/useFormats';
import { PAGE_SIZES, type ListParams } from '@/lib/listParams';
import { useNames } from '@/resource/names';
import { useIsPhone } from '@/theme/breakpoints';
import classes from './DeviceMembers.module.css';
import { countsOf, csvOf, messageOf, OUTCOME_TONES, outcomeOf } from './linkReport';

interface LinkReportProps {
  report: LinkDevicesReport;
  /** Nothing has been done yet. */
  isPreview?: boolean;
  /** All devices of some users were to be linked. */
  fromUsers?: boolean;
}

/** What becomes of each device, or what became of it: counted, narrowed by outcome and name, page by page. */
export function LinkReport({ report, isPreview = false, fromUsers = false }: LinkReportProps) {
  const { t } = useTranslation('deviceMembers');
  const phone = useIsPhone();
  const [params, setParams] = useState(FIRST);
  const change = (part: Partial<ListParams>) => setParams((before) => ({ ...before, page: 1, ...part }));
  const wanted = params.filters.outcome?.[0];
  const shown = useMemo(() => {
    const q = params.q.toLocaleLowerCase();
    const isFound = (text: string) => text.toLocaleLowerCase().includes(q);
    return report.items.filter(
      (item) => (!wanted || item.outcome === wanted) && (isFound(item.device_name) || isFound(item.vehicle_code)),
    );
  }, [report, params.q, wanted]);
  const from = (params.page - 1) * params.pageSize;
  const page = shown.slice(from, from + params.pageSize);
  const owners = useNames(
    'users',
    report.items.map(({ replaced_owner_id: owner }) => owner),
  );
  return (
    <Stack gap="md">
      {!isPreview && <Message report={report} fromUsers={fromUsers} />}
      <SummaryCards
        label={t('report.counts')}
        params={params}
        onParams={change}
        cards={countsOf(report.items).map(({ outcome, count }) => ({
          key: outcome,
          label: isPreview ? t(`planned.${outcome}`) : t(`counted.${outcome}`),
          value: count,
          filter: { name: 'outcome', value: outcome },
        }))}
      />
      {report.items.length > 0 && (
        <>
          <Group gap="xs" justify="space-between">
            <SearchInput label={t('report.search')} value={params.q} onChange={(q) => change({ q })} />
            {!isPreview && <SaveButton items={report.items} owners={owners} />}
          </Group>
          <div className={table.frame} tabIndex={0} role="region" aria-label={t('report.title')}>
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col" className={classes.device}>
                    {t('field.device')}
                  </th>
                  <th scope="col">{t('report.outcome')}</th>
                </tr>
              </thead>
              <tbody>
                {page.map((item) => (
                  <tr key={`${item.device_id} ${item.outcome}`}>
                    <th scope="row">
                      {item.device_name || t('report.unknown')}
                      <Text size="sm" c="dimmed" className="tabular">
                        {item.device_name ? item.vehicle_code : item.device_id}
                      </Text>
                    </th>
                    <td>
                      <OutcomeText item={item} isPreview={isPreview} owner={owners[item.replaced_owner_id ?? '']} />
                    </td>
                  </tr>
                ))}
                {page.length === 0 && (
                  <tr>
                    <td colSpan={2}>{t('report.nothingFound')}</td>
                  </tr>
                )}
              </tbody>
            </table>
          </div>
          <DataTablePager total={shown.length} params={params} phone={phone} onParams={change} />
        </>
      )}
    </Stack>
  );
}

const FIRST: ListParams = { page: 1, pageSize: PAGE_SIZES[0], sort: '', q: '', filters: {}, columns: [] };

const COLORS: Record<StatusTone, string> = {
  positive: 'green',
  info: 'brand',
  neutral: 'gray',
  warning: 'yellow',
  negative: 'red',
};

/** What all of it comes to, with counts where not all of it was done. */
function Message({ report, fromUsers }: { report: LinkDevicesReport; fromUsers: boolean }) {
  const { t } = useTranslation('deviceMembers');
  const formats = useFormats();
  const { name, tone } = messageOf(report, fromUsers);
  const isWhole = name !== 'failed' && name !== 'partial';
  const { succeeded, skipped, failed } = report;
  const counts = t('message.counts', {
    succeeded: formats.number(succeeded),
    skipped: formats.number(skipped),
    failed: formats.number(failed),
  });
  return (
    <Alert
      color={COLORS[tone]}
      variant="light"
      role={tone === 'negative' ? 'alert' : 'status'}
      className={classes.text}
    >
      {t(`message.${name}`, { count: succeeded, formatted: formats.number(succeeded) })}
      {!isWhole && ` ${counts}`}
    </Alert>
  );
}

interface OutcomeProps {
  item: LinkedDevice;
  isPreview: boolean;
  /** Who owned it before. */
  owner: string | undefined;
}

function OutcomeText({ item, isPreview, owner }: OutcomeProps) {
  const { t } = useTranslation('deviceMembers');
  const outcome = outcomeOf(item);
  if (!outcome) return <>{item.outcome}</>;
  return (
    <>
      <StatusBadge tone={OUTCOME_TONES[outcome]}>
        {isPreview ? t(`planned.${outcome}`) : t(`counted.${outcome}`)}
      </StatusBadge>
      {outcome !== 'linked' && outcome !== 'unlinked' && (
        <Text size="sm" c="dimmed">
          {t(`outcome.${outcome}`)}
        </Text>
      )}
      {item.replaced_owner_id && (
        <Text size="sm" c="dimmed">
          {t('report.replaces', { name: owner ?? '…' })}
        </Text>
      )}
    </>
  );
}

/** Puts every line into a file. */
function SaveButton({ items, owners }: { items: readonly LinkedDevice[]; owners: Record<string, string> }) {
  const { t } = useTranslation('deviceMembers');
  const outcomeText = (item: LinkedDevice) => {
    const outcome = outcomeOf(item);
    if (!outcome) return [item.outcome, ''];
    const why = outcome === 'linked' || outcome === 'unlinked' ? '' : t(`outcome.${outcome}`);
    return [t(`counted.${outcome}`), why];
  };
  const save = () => {
    const head = [t('field.device'), t('field.vehicle_code'), t('report.outcome'), t('report.why')];
    const rows = items.map((item) => [
      item.device_name,
      item.vehicle_code,
      ...outcomeText(item),
      owners[item.replaced_owner_id ?? ''] ?? '',
      item.device_id,
    ]);
    const content = csvOf([[...head, t('report.formerOwner'), t('field.id')], ...rows]);
    saveFile({ name: `${t('report.file')}.csv`, content });
  };
  return (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden="true" />} onClick={save}>
      {t('report.save')}
    </Button>
  );
}
