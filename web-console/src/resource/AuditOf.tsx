import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { AuditEntry } from '@/api/generated';
import classes from '@/components/DrivingHistory.module.css';
import { ErrorState } from '@/components/ErrorState';
import { useStackedDrawers } from '@/lib/drawerParam';
import { lazyPart } from '@/lib/lazyPart';
import { useListQuery } from './calls';
import { idOf, nameOf, type Resource } from './defineResource';
import { loadResource } from './loadResource';
import { REGISTRY, type ResourceKey } from './registry';
import { useWords } from './texts';

const FIRST = 25;
const PAGE_STEP = 50;
/** What the server gives at most. */
const PAGE_MAX = 500;

interface AuditOfProps {
  of: ResourceKey;
  id: string;
}

/** What was done to a thing, the newest first: the words for it are those of the audit's own screen. */
export const AuditOf = lazyPart<AuditOfProps>(async () => {
  const audit = (await loadResource('audit')) as unknown as Resource<AuditEntry>;
  return (props) => <Entries audit={audit} {...props} />;
});

function Entries({ audit, of, id }: AuditOfProps & { audit: Resource<AuditEntry> }) {
  const words = useWords('audit');
  const { t, formats } = words;
  const { open } = useStackedDrawers();
  const [shown, setShown] = useState(FIRST);
  const query = useListQuery<AuditEntry>(
    'audit',
    { object_kind: REGISTRY[of].auditKind, object_id: id, page: 1, page_size: shown },
    { refetchOnMountOrArgChange: true },
  );
  const { data, error } = query;
  if (!data && error) return <ErrorState title={t('loadFailed')} error={error} onRetry={() => void query.refetch()} />;
  return (
    <div aria-busy={query.isFetching}>
      {data?.total === 0 && <Text c="dimmed">{t('emptyTitle')}</Text>}
      <ul className={classes.list} aria-label={t('title')}>
        {data?.items.map((entry) => (
          <li key={entry.id} className={classes.assignment}>
            <span className={classes.name}>
              <Anchor component="button" type="button" ta="start" onClick={() => open('audit', idOf(audit, entry))}>
                {nameOf(audit, entry, words)}
              </Anchor>
            </span>
            <Text size="sm" c="dimmed" className="tabular">
              {[entry.actor_name, formats.dateTime(entry.at)].filter(Boolean).join(' · ')}
            </Text>
          </li>
        ))}
      </ul>
      {data && data.total > data.items.length && shown < PAGE_MAX && (
        <Button variant="subtle" size="compact-sm" onClick={() => setShown(Math.min(shown + PAGE_STEP, PAGE_MAX))}>
          {t('page.more')}
        </Button>
      )}
    </div>
  );
}
