import { IconPaperclip } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Document } from '@/api/generated';
import { StatusBadge, type StatusTone } from '@/components/StatusBadge';
import { useFormats } from '@/i18n/useFormats';
import classes from './Documents.module.css';

const TONES: Record<string, StatusTone> = { valid: 'positive', expiring: 'warning', expired: 'negative' };

/** Whose a document is: the vehicle with its plate, or the driver. */
export const SubjectCell = ({ row: { subject_name: name, subject_code: code } }: { row: Document }) => (
  <span className={classes.pair}>
    <span data-cut>{name}</span>
    {code && (
      <span data-cut className={classes.second}>
        {code}
      </span>
    )}
  </span>
);

/** How a document stands today, and until when it is good. */
export function ExpiryCell({ row: { state, expires_on: day, days_left: days = 0 } }: { row: Document }) {
  const { t } = useTranslation('documents');
  const formats = useFormats();
  if (state === 'none' || !day) return <span className={classes.second}>{t('state.none')}</span>;
  const said = { day: formats.date(day), count: Math.abs(days), formatted: formats.number(Math.abs(days)) };
  const words = () => {
    if (state === 'expired') return t('expired', said);
    if (state === 'valid') return t('until', said);
    return days === 0 ? t('today', said) : t('expiring', said);
  };
  return <StatusBadge tone={TONES[state] ?? 'neutral'}>{words()}</StatusBadge>;
}

/** How many files a document has. */
export function FilesCell({ row: { files = [] } }: { row: Document }) {
  const { t } = useTranslation('documents');
  const formats = useFormats();
  if (files.length === 0) return <span className={classes.second}>–</span>;
  const said = t('fileCount', { count: files.length, formatted: formats.number(files.length) });
  return (
    <span className={classes.count} title={files.map(({ name }) => name).join('\n')}>
      <IconPaperclip size={16} aria-hidden="true" />
      {said}
    </span>
  );
}
