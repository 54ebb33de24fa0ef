import { Button, Group } from '@mantine/core';
import { useSelector } from 'react-redux';
import { useNavigate } from 'react-router';
import type { AuditEntry } from '@/api/generated';
import { DrawerText, Fact, Facts } from '@/components/Facts';
import type { FormProps } from '@/resource/defineResource';
import { EntityName } from '@/resource/names';
import { useWords } from '@/resource/texts';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { actText, objectText } from './auditTexts';
import { ChangeTable } from './ChangeTable';
import classes from './AuditEntry.module.css';

/** One entry with what it changed. */
export function AuditEntryView({ row: entry }: FormProps<AuditEntry>) {
  const words = useWords('audit');
  const navigate = useNavigate();
  const ofPlatform = can('platform_owner', useSelector(selectPerson));
  if (!entry) return null;
  const { t, formats } = words;
  const { actor_id, object_kind, object_id, tenant_id } = entry;
  /** Narrows the list to what this entry has in common with others. */
  const narrow = (filters: Record<string, string>) => void navigate(`/audit?${new URLSearchParams(filters)}`);
  return (
    <DrawerText>
      <Facts>
        <Fact label={t('field.at')}>{formats.dateTime(entry.at)}</Fact>
        <Fact label={t('field.actor')}>{entry.actor_name || t(entry.erased ? 'erased' : 'nobody')}</Fact>
        <Fact label={t('field.act')}>
          {actText(entry.act, words)} <code className={classes.code}>{entry.act}</code>
        </Fact>
        <Fact label={t('field.object')}>{objectText(entry, words)}</Fact>
        <Fact label={t('field.address')}>{entry.address}</Fact>
        {ofPlatform && (
          <Fact label={t('field.tenant')}>
            {tenant_id ? <EntityName of="tenants" id={tenant_id} /> : t('platform')}
          </Fact>
        )}
      </Facts>
      <Group gap="xs">
        {actor_id && (
          <Button variant="default" size="compact-sm" onClick={() => narrow({ actor_id })}>
            {t('sameActor')}
          </Button>
        )}
        {object_id && (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => narrow({ object_id, ...(object_kind && { object_kind }) })}
          >
            {t('sameObject')}
          </Button>
        )}
      </Group>
      <ChangeTable of={object_kind} before={entry.before} after={entry.after} />
      <Facts>
        <Fact label={t('field.seq')}>{formats.number(entry.seq)}</Fact>
        <Fact label={t('field.id')}>
          <code className={classes.code}>{entry.id}</code>
        </Fact>
        <Fact label={t('field.hash')}>
          <code className={classes.code}>{entry.hash}</code>
        </Fact>
      </Facts>
    </DrawerText>
  );
}
