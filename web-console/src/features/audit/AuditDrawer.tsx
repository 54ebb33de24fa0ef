import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useListAuditQuery } from '@/api/api';
import type { AuditEntry } from '@/api/generated';
import { DetailDrawer } from '@/components/DetailDrawer';
import { EmptyState } from '@/components/EmptyState';
import { useFormats } from '@/i18n/useFormats';
import type { FilterValues } from '@/lib/listParams';
import { EntityName } from '@/resource/names';
import { OutcomeBadge } from './auditDefinition';
import { entryCall, entryKey as keyOf } from './auditList';
import { ChangeTable } from './ChangeTable';
import { useAuditTexts } from './useAuditTexts';
import classes from './AuditDrawer.module.css';

interface AuditDrawerProps {
  entryKey: string;
  /** The page of the list behind, to go through one by one. */
  neighbours: AuditEntry[];
  onShow: (key: string) => void;
  /** Narrows the list to what this entry has in common with others. */
  onFilter: (filters: FilterValues) => void;
  onClose: () => void;
}

/** One entry with what it changed. A link to it finds it although the list has moved on. */
export function AuditDrawer({ entryKey, neighbours, onShow, onFilter, onClose }: AuditDrawerProps) {
  const { t } = useTranslation('audit');
  const texts = useAuditTexts();
  const place = neighbours.findIndex((each) => keyOf(each) === entryKey);
  const listed = neighbours[place];
  const call = entryCall(entryKey);
  const { currentData, isFetching, error, refetch } = useListAuditQuery(call ?? {}, {
    skip: !call || listed !== undefined,
  });
  const entry = listed ?? currentData?.items.find((each) => keyOf(each) === entryKey);
  const to = (neighbour: AuditEntry | undefined) => (neighbour ? () => onShow(keyOf(neighbour)) : null);
  return (
    <DetailDrawer
      size={720}
      title={entry ? texts.act(entry.act) : t('entry')}
      subtitle={entry && <OutcomeBadge act={entry.act} />}
      previous={place < 0 ? undefined : to(neighbours[place - 1])}
      next={place < 0 ? undefined : to(neighbours[place + 1])}
      load={
        !entry && (isFetching || error)
          ? { failure: t('openFailed'), error: isFetching ? undefined : error, onRetry: () => void refetch() }
          : undefined
      }
      onClose={onClose}
    >
      {entry ? <Entry entry={entry} onFilter={onFilter} /> : <EmptyState title={t('goneTitle')} text={t('goneText')} />}
    </DetailDrawer>
  );
}

function Entry({ entry, onFilter }: { entry: AuditEntry; onFilter: (filters: FilterValues) => void }) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const texts = useAuditTexts();
  const { actor_id, object_kind, object_id } = entry;
  return (
    <div className={classes.entry}>
      <dl className={classes.facts}>
        <Fact label={t('field.at')}>{formats.dateTime(entry.at)}</Fact>
        <Fact label={t('field.actor')}>{entry.actor_name || t(entry.erased ? 'erased' : 'nobody')}</Fact>
        <Fact label={t('field.act')}>
          {texts.act(entry.act)} <code className={classes.code}>{entry.act}</code>
        </Fact>
        <Fact label={t('field.object')}>{[texts.kind(object_kind), entry.object_name].filter(Boolean).join(': ')}</Fact>
        <Fact label={t('field.address')}>{entry.address}</Fact>
        <Fact label={t('field.tenant')}>
          {entry.tenant_id ? <EntityName of="tenants" id={entry.tenant_id} /> : t('platform')}
        </Fact>
      </dl>
      <Group gap="xs">
        {actor_id && (
          <Button variant="default" size="compact-sm" onClick={() => onFilter({ actor_id: [actor_id] })}>
            {t('sameActor')}
          </Button>
        )}
        {object_id && (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => onFilter({ object_id: [object_id], ...(object_kind && { object_kind: [object_kind] }) })}
          >
            {t('sameObject')}
          </Button>
        )}
      </Group>
      <ChangeTable before={entry.before} after={entry.after} />
      <dl className={classes.facts}>
        <Fact label={t('field.seq')}>{formats.number(entry.seq)}</Fact>
        <Fact label={t('field.id')}>
          <code className={classes.code}>{entry.id}</code>
        </Fact>
        <Fact label={t('field.hash')}>
          <code className={classes.code}>{entry.hash}</code>
        </Fact>
      </dl>
    </div>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children || '–'}</dd>
    </div>
  );
}
