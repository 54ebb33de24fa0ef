import { IconFileTypeCsv, IconFileTypePdf, IconFileTypeXls, type Icon } from '@tabler/icons-react';
import type { FetchArgs } from '@reduxjs/toolkit/query';
import { useTranslation } from 'react-i18next';
import { FileMenu } from './FileMenu';

/** Files that the server makes of lists. */
export type FileFormat = 'xlsx' | 'csv' | 'pdf';

const FORMATS = [
  ['xlsx', IconFileTypeXls],
  ['csv', IconFileTypeCsv],
  ['pdf', IconFileTypePdf],
] as const satisfies [FileFormat, Icon][];

interface ExportMenuProps {
  /** The call for a file of everything that matches. */
  file: (format: FileFormat) => FetchArgs;
  disabled?: boolean;
}

/** Everything that matches as a file. */
export function ExportMenu(props: ExportMenuProps) {
  const { t } = useTranslation('lists');
  const choices = FORMATS.map(([format, icon]) => ({ format, icon, label: t(`export.${format}`) }));
  return <FileMenu {...props} choices={choices} />;
}
