import { Alert } from '@mantine/core';
import { IconFolder, IconTruck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ShareLink } from '@/api/generated';
import { StatusBadge } from '@/components/StatusBadge';
import { useFormats } from '@/i18n/useFormats';
import { STATUS_TONES } from './linkStatus';
import classes from './ShareLinks.module.css';

/** What a link shows: a vehicle, or those of a group. */
export function SubjectCell({ row: { subject_name: name, device_id: device } }: { row: ShareLink }) {
  const { t } = useTranslation('shareLinks');
  const Icon = device ? IconTruck : IconFolder;
  return (
    <span className={classes.subject}>
      <Icon size={16} aria-label={device ? t('subject.vehicle') : t('subject.group')} role="img" />
      {name || '–'}
    </span>
  );
}

/** How a link stands, and until when it holds. */
export function LinkStatusCell({ row: { status, expires_at: end } }: { row: ShareLink }) {
  const { t } = useTranslation('shareLinks');
  const formats = useFormats();
  return (
    <span className={classes.standing}>
      {status !== 'unspecified' && <StatusBadge tone={STATUS_TONES[status]}>{t(`status.${status}`)}</StatusBadge>}
      {status === 'active' && t('until', { time: formats.dateTime(end) })}
    </span>
  );
}

/** Why a link shows nothing although its time is not over. */
export function EndedNotice({ row: { status } }: { row: ShareLink }) {
  const { t } = useTranslation('shareLinks');
  if (status !== 'ended') return null;
  return (
    <div className={classes.notice}>
      <Alert variant="default">{t('endedText')}</Alert>
    </div>
  );
}
