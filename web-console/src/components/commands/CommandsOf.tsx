import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { useListCommandsQuery } from '@/api/calls/commands';
import classes from '@/components/DrivingHistory.module.css';
import { ErrorState } from '@/components/ErrorState';
import { StatusBadge } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import { newWith, useStackedDrawers } from '@/lib/drawerParam';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import { STATE_TONES } from './commandKinds';
import { useCommandText } from './useCommandText';

/** So many stand in the drawer; the others in the history. */
const SHOWN = 10;

/** The last commands to a device and what became of them; sends another one. */
export function CommandsOf({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('commands');
  const say = useCommandText();
  const { open } = useStackedDrawers();
  const maySend = mayDo('commands', 'create', useSelector(selectPerson));
  const asked = { deviceId: [deviceId], page: 1, pageSize: SHOWN };
  const query = useListCommandsQuery(asked, { refetchOnMountOrArgChange: true });
  const { data, error } = query;
  if (error) return <ErrorState title={t('of.failed')} error={error} onRetry={() => void query.refetch()} />;
  return (
    <div aria-busy={query.isLoading}>
      {data?.total === 0 && <Text c="dimmed">{t('of.none')}</Text>}
      <ul className={classes.list}>
        {data?.items.map((command) => (
          <li key={command.id} className={classes.assignment}>
            <div className={classes.name}>
              <Anchor component="button" type="button" ta="start" onClick={() => open('commands', command.id)}>
                {say(command)}
              </Anchor>
              <StatusBadge tone={STATE_TONES[command.state] ?? 'neutral'}>
                {t(`state.${command.state}` as 'state.queued')}
              </StatusBadge>
            </div>
            <Text size="sm" c="dimmed">
              <TimeAgo at={command.created_at} />
            </Text>
          </li>
        ))}
      </ul>
      <Group gap="md" mt="sm">
        {maySend && (
          <Button
            variant="default"
            leftSection={<IconSend size={16} aria-hidden="true" />}
            onClick={() => open('commands', newWith({ device_id: deviceId }))}
          >
            {t('add')}
          </Button>
        )}
        {data !== undefined && data.total > 0 && (
          <Anchor component={Link} to={`/commands?device_id=${encodeURIComponent(deviceId)}`}>
            {t('of.all')}
          </Anchor>
        )}
      </Group>
    </div>
  );
}
