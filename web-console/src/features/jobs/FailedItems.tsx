import { Pagination, Skeleton, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListJobItemsQuery } from '@/api/calls/jobs';
import { ErrorState } from '@/components/ErrorState';
import { FailureTable } from '@/resource/imports/FailureTable';
import type { Job } from '@/resource/jobs';
import type { ResourceKey } from '@/resource/registry';

const PAGE_SIZE = 25;

/** What a job could not do, page by page. */
export function FailedItems({ job, of }: { job: Job; of: ResourceKey }) {
  const { t } = useTranslation('jobs');
  const [page, setPage] = useState(1);
  const { service, id, failed } = job;
  const { data, error, refetch } = useListJobItemsQuery(
    { service, id, status: ['failed'], page, pageSize: PAGE_SIZE },
    { refetchOnMountOrArgChange: true },
  );
  const known = useRef(failed);
  useEffect(() => {
    if (known.current !== failed) void refetch();
    known.current = failed;
  }, [failed, refetch]);
  if (error && !data) return <ErrorState title={t('resultFailed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={120} aria-busy="true" />;
  const pages = Math.ceil(data.total / PAGE_SIZE);
  // Until something has come of it, a row of a file is known by its number.
  const rowOf = (itemId: string) => (job.kind === 'import' ? Number(itemId) : undefined);
  const failures = data.items.map(({ item_id, name, message = '', fields }) => ({
    id: item_id,
    row: rowOf(item_id),
    name: name || (job.kind === 'import' ? '' : item_id),
    message,
    fields,
  }));
  return (
    <section>
      <Text component="h3" fw={600} mb="xs">
        {t('failures')}
      </Text>
      <FailureTable of={of} failures={failures} />
      {pages > 1 && <Pagination mt="sm" total={pages} value={page} onChange={setPage} />}
    </section>
  );
}
