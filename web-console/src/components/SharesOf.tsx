import { Anchor, Button, Text } from '@mantine/core';
import { IconShare2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { useListShareLinksQuery } from '@/api/calls/shareLinks';
import { useFormats } from '@/i18n/useFormats';
import { newWith, useStackedDrawers } from '@/lib/drawerParam';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import { ErrorState } from './ErrorState';
import classes from './DrivingHistory.module.css';

/** More than these are in their own list. */
const SHOWN = 20;

/** The links that show a vehicle or a group and still hold, and the way to another one. */
export function SharesOf(of: { deviceId?: string; groupId?: string }) {
  const { t } = useTranslation('shareLinks');
  const formats = useFormats();
  const { open } = useStackedDrawers();
  const mayShare = mayDo('share-links', 'create', useSelector(selectPerson));
  const [subject, field, id] = of.deviceId
    ? (['vehicle', 'device_id', of.deviceId] as const)
    : (['group', 'device_group_id', of.groupId ?? ''] as const);
  const query = useListShareLinksQuery(
    {
      ...(subject === 'vehicle' ? { deviceId: [id] } : { deviceGroupId: [id] }),
      status: ['active'],
      sort: '-created_at',
      page: 1,
      pageSize: SHOWN,
    },
    { refetchOnMountOrArgChange: true },
  );
  const { data, error } = query;
  if (error) return <ErrorState title={t('of.failed')} error={error} onRetry={() => void query.refetch()} />;
  return (
    <div aria-busy={query.isFetching}>
      <Text size="sm" c="dimmed">
        {t('of.text')}
      </Text>
      {data?.total === 0 && <Text my="sm">{t('of.none')}</Text>}
      <ul className={classes.list}>
        {data?.items.map((link) => (
          <li key={link.id} className={classes.assignment}>
            <div className={classes.name}>
              <Anchor component="button" type="button" ta="start" onClick={() => open('share-links', link.id)}>
                {link.name}
              </Anchor>
              <Text size="sm" c="dimmed" component="span">
                {t('until', { time: formats.dateTime(link.expires_at) })} ·{' '}
                {t('times', { count: link.opened_count, formatted: formats.number(link.opened_count) })}
              </Text>
            </div>
          </li>
        ))}
      </ul>
      {mayShare && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconShare2 size={16} aria-hidden="true" />}
          onClick={() => open('share-links', newWith({ subject, [field]: id }))}
        >
          {t('of.add')}
        </Button>
      )}{' '}
      <Anchor component={Link} to={`/share-links?${field}=${encodeURIComponent(id)}`} size="sm">
        {t('of.all')}
      </Anchor>
    </div>
  );
}
