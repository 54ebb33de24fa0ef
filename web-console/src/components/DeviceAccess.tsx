import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { useListDeviceAccessQuery } from '@/api/calls/deviceMembers';
import type { DeviceAccess as Access } from '@/api/generated';
import { useFormats } from '@/i18n/useFormats';
import { newWith, useStackedDrawers } from '@/lib/drawerParam';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import { AccessObstacle, AccessPermissions, AccessProblem, AccessReason } from './AccessReason';
import classes from './DeviceAccess.module.css';

/** Who sees a device and why, what they may do with it, and what keeps them from it. */
export function DeviceAccess({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('deviceMembers');
  const person = useSelector(selectPerson);
  const { open } = useStackedDrawers();
  const { data, error, refetch } = useListDeviceAccessQuery({ id: deviceId }, { refetchOnMountOrArgChange: true });
  if (!data && error) return <AccessProblem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={40} aria-busy="true" />;
  const mayShare = mayDo('device-members', 'create', person) && mayDo('users', 'list', person);
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t('access.ofDevice')}
      </Text>
      {data.items.length === 0 ? (
        <Text my="sm">{t('access.nobody')}</Text>
      ) : (
        <ul className={classes.list} aria-label={t('access.title')}>
          {data.items.map((each) => (
            <Somebody key={each.user_id} access={each} />
          ))}
        </ul>
      )}
      <Group gap="md" mt="sm">
        {mayShare && (
          <Button
            variant="default"
            leftSection={<IconUserPlus size={16} aria-hidden="true" />}
            onClick={() => open('device-members', newWith({ device_id: deviceId }))}
          >
            {t('access.share')}
          </Button>
        )}
        <Anchor component={Link} to={`/device-members?device_id=${encodeURIComponent(deviceId)}`}>
          {t('access.linksOfDevice')}
        </Anchor>
      </Group>
    </div>
  );
}

function Somebody({ access: each }: { access: Access }) {
  const { t } = useTranslation('deviceMembers');
  const formats = useFormats();
  const { open } = useStackedDrawers();
  const mayOpen = mayDo('users', 'list', useSelector(selectPerson));
  return (
    <li className={classes.one}>
      <div className={classes.head}>
        {mayOpen ? (
          <Anchor component="button" type="button" ta="start" onClick={() => open('users', each.user_id)}>
            {each.user_name}
          </Anchor>
        ) : (
          each.user_name
        )}
        <span className={classes.marks}>
          <AccessReason reason={each.reason} />
          <AccessObstacle obstacle={each.obstacle} />
        </span>
      </div>
      <Text size="sm" c="dimmed">
        {each.user_email}
      </Text>
      {each.ends_on && <Text size="sm">{t('until', { day: formats.date(each.ends_on) })}</Text>}
      {!each.obstacle && <AccessPermissions permissions={each.permissions} />}
    </li>
  );
}
