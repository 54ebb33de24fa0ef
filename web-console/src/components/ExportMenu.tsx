import { Button, Loader, Menu } from '@mantine/core';
import { IconDownload, IconFileTypeCsv, IconFileTypePdf, IconFileTypeXls, IconX } from '@tabler/icons-react';
import type { FetchArgs } from '@reduxjs/toolkit/query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import type { Dispatch } from '@/api/direct';
import { download, saveFile } from '@/api/download';
import { errorText } from '@/i18n/errorText';
import { useFormats } from '@/i18n/useFormats';
import { toastError } from '@/lib/toast';

/** Files that the server makes. */
export type FileFormat = 'xlsx' | 'csv';

interface ExportMenuProps {
  /** The call for a file of everything that matches. */
  file: (format: FileFormat) => FetchArgs;
  /** Address of the view for printing. */
  printPath: string;
  disabled?: boolean;
}

/** Everything that matches, as a file or on paper. */
export function ExportMenu({ file, printPath, disabled }: ExportMenuProps) {
  const { t } = useTranslation(['common', 'lists']);
  const { bytes, start, stop } = useDownload(file);
  const formats = useFormats();
  if (bytes !== null) {
    return (
      <Button
        variant="default"
        leftSection={<Loader size={14} />}
        rightSection={<IconX size={14} aria-hidden="true" />}
        aria-label={t('lists:export.stop')}
        title={t('lists:export.stop')}
        onClick={stop}
        className="tabular"
      >
        {bytes === 0 ? t('lists:export.making') : formats.bytes(bytes)}
      </Button>
    );
  }
  return (
    <Menu position="bottom-end" width={200} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" disabled={disabled} leftSection={<IconDownload size={16} aria-hidden="true" />}>
          {t('lists:export.title')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFileTypeXls size={16} aria-hidden="true" />} onClick={() => void start('xlsx')}>
          {t('lists:export.xlsx')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFileTypeCsv size={16} aria-hidden="true" />} onClick={() => void start('csv')}>
          {t('lists:export.csv')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFileTypePdf size={16} aria-hidden="true" />}
          onClick={() => {
            if (!window.open(printPath, '_blank')) toastError(t('lists:export.popupBlocked'));
          }}
        >
          {t('lists:export.pdf')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** One download at a time; `bytes` is null while there is none. */
function useDownload(file: ExportMenuProps['file']) {
  const { t } = useTranslation(['common', 'lists']);
  const dispatch = useDispatch<Dispatch>();
  const [bytes, setBytes] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);

  const start = async (format: FileFormat) => {
    const abort = new AbortController();
    running.current = abort;
    setBytes(0);
    const { data, error } = await dispatch(download(file(format), { signal: abort.signal, onProgress: setBytes }));
    setBytes(null);
    if (abort.signal.aborted) return;
    if (data) saveFile(data);
    else toastError(`${t('lists:export.failed')} ${errorText(error, t)}`);
  };
  return { bytes, start, stop: () => running.current?.abort() };
}
