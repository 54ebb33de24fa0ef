import { Anchor, Button, Group, Pagination, Skeleton, Stack, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { useGetUserAccessQuery, useListDeviceMembersQuery } from '@/api/calls/deviceMembers';
import type { DeviceMember } from '@/api/generated';
import { useFormats } from '@/i18n/useFormats';
import { newWith, useStackedDrawers } from '@/lib/drawerParam';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import { AccessObstacle, AccessPermissions, AccessProblem, AccessReason } from './AccessReason';
import classes from './DeviceAccess.module.css';

/** Which devices a user sees and why, what they may do with them, and the links that this follows from. */
export function UserAccess({ userId }: { userId: string }) {
  const { t } = useTranslation('deviceMembers');
  const formats = useFormats();
  const { data, error, refetch } = useGetUserAccessQuery({ id: userId }, { refetchOnMountOrArgChange: true });
  if (!data && error) return <AccessProblem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={40} aria-busy="true" />;
  const { reasons, obstacle, ended } = data;
  return (
    <Stack gap="sm">
      {obstacle && (
        <div className={classes.marks}>
          <AccessObstacle obstacle={obstacle} />
          <Text size="sm">{t('access.seesNothing')}</Text>
        </div>
      )}
      {reasons.length === 0 ? (
        <Text>{t('access.noDevices')}</Text>
      ) : (
        <ul className={classes.list} aria-label={t('access.reasons')}>
          {reasons.map((each) => (
            <li key={each.reason} className={classes.one}>
              <div className={classes.head}>
                <AccessReason reason={each.reason} />
                <span className="tabular">
                  {t('access.devices', { count: each.devices, formatted: formats.number(each.devices) })}
                </span>
              </div>
              {!obstacle && <AccessPermissions permissions={each.permissions} />}
            </li>
          ))}
        </ul>
      )}
      {ended > 0 && (
        <Text size="sm" c="dimmed">
          {t('access.ended', { count: ended, formatted: formats.number(ended) })}
        </Text>
      )}
      <Links userId={userId} />
    </Stack>
  );
}

const PAGE_SIZE = 10;

/** The user's links, page by page, and the ways to change them. */
function Links({ userId }: { userId: string }) {
  const { t } = useTranslation('deviceMembers');
  const person = useSelector(selectPerson);
  const { open } = useStackedDrawers();
  const [page, setPage] = useState(1);
  const { data } = useListDeviceMembersQuery(
    { userId: [userId], page, pageSize: PAGE_SIZE, sort: 'device' },
    { refetchOnMountOrArgChange: true },
  );
  const pages = Math.ceil((data?.total ?? 0) / PAGE_SIZE);
  const mayLink = mayDo('device-members', 'create', person) && mayDo('users', 'list', person);
  return (
    <>
      {data && data.items.length > 0 && (
        <ul className={classes.list} aria-label={t('access.links')}>
          {data.items.map((member) => (
            <LinkOfUser key={member.id} member={member} />
          ))}
        </ul>
      )}
      {pages > 1 && <Pagination size="sm" total={Math.max(pages, page)} value={page} onChange={setPage} />}
      {mayLink && (
        <Group gap="md">
          <Button
            variant="default"
            leftSection={<IconUserPlus size={16} aria-hidden="true" />}
            onClick={() => open('device-members', newWith({ user_id: userId }))}
          >
            {t('access.link')}
          </Button>
          <Anchor component={Link} to={`/device-members/manager?to=${encodeURIComponent(userId)}`}>
            {t('access.manage')}
          </Anchor>
        </Group>
      )}
    </>
  );
}

function LinkOfUser({ member }: { member: DeviceMember }) {
  const { t } = useTranslation('deviceMembers');
  const formats = useFormats();
  const { open } = useStackedDrawers();
  const { role, status, ends_on: end } = member;
  const until = end && t('until', { day: formats.date(end) });
  return (
    <li className={classes.one}>
      <div className={classes.head}>
        <Anchor component="button" type="button" ta="start" onClick={() => open('device-members', member.id)}>
          {member.device_name}
        </Anchor>
        <span className={classes.marks}>
          {role !== 'unspecified' && <AccessReason reason={role} />}
          {status === 'ended' && <AccessObstacle obstacle="link_ended" />}
        </span>
      </div>
      <Text size="sm" c="dimmed">
        {[member.vehicle_code, until].filter(Boolean).join(' · ')}
      </Text>
    </li>
  );
}
