import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useGetImportReportQuery } from '@/api/calls/jobs';
import { ErrorState } from '@/components/ErrorState';
import { Counts } from '@/resource/imports/Counts';
import type { ImportReport } from '@/resource/imports/importCalls';
import { RowErrors } from '@/resource/imports/RowErrors';
import type { Job } from '@/resource/jobs';
import type { ResourceKey } from '@/resource/registry';
import { FailedItems } from './FailedItems';

/** What came of the rows of a file, and what is wrong with the others. */
export function ImportOutcome({ job, of }: { job: Job; of: ResourceKey }) {
  const { t } = useTranslation('jobs');
  const { service, id } = job;
  const { currentData, error, refetch } = useGetImportReportQuery({ service, id }, { refetchOnMountOrArgChange: true });
  const report = currentData as ImportReport | undefined;
  if (error && !report) return <ErrorState title={t('resultFailed')} error={error} onRetry={() => void refetch()} />;
  if (!report) return <Skeleton height={120} aria-busy="true" />;
  // A report has the first of them alone, in the order of the file.
  const isWhole = report.failed === report.errors.length;
  return (
    <>
      <Counts of={of} report={report} />
      {!isWhole && <FailedItems job={job} of={of} />}
      {isWhole && report.failed > 0 && <RowErrors of={of} report={report} />}
    </>
  );
}
