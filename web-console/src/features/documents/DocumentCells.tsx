import { IconPaperclip } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Document } from '@/api/generated';
import { useFormats } from '@/i18n/useFormats';
import classes from './Documents.module.css';

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

/** How many files a document has. */
export function FilesCell({ row: { files = [] } }: { row: Document }) {
  const { t } = useTranslation('documents');
  const formats = useFormats();
  if (files.length === 0) return <span className={classes.second}>–</span>;
  const label = t('fileCount', { count: files.length, formatted: formats.number(files.length) });
  return (
    <span className={classes.count} title={files.map(({ name }) => name).join('\n')}>
      <IconPaperclip size={16} aria-hidden="true" />
      {label}
    </span>
  );
}
