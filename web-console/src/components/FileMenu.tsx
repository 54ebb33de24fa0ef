import { ActionIcon, Button, Loader, Menu } from '@mantine/core';
import { IconDownload, IconX, type Icon } from '@tabler/icons-react';
import type { FetchArgs } from '@reduxjs/toolkit/query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import type { Dispatch } from '@/api/direct';
import { download, saveFile } from '@/api/download';
import { errorText } from '@/i18n/errorText';
import { useFormats } from '@/i18n/useFormats';
import { toastError } from '@/lib/toast';

/** A kind of file that can be had. */
export interface FileChoice<F extends string> {
  format: F;
  label: string;
  icon: Icon;
}

interface FileMenuProps<F extends string> {
  choices: readonly FileChoice<F>[];
  /** The call for the file. */
  file: (format: F) => FetchArgs;
  disabled?: boolean;
}

/** What is on the screen as a file of one kind or another, made by the server. */
export function FileMenu<F extends string>({ choices, file, disabled }: FileMenuProps<F>) {
  const { t } = useTranslation(['common', 'lists']);
  const { bytes, start, stop } = useDownload(file);
  const formats = useFormats();
  const button = useRef<HTMLButtonElement>(null);
  const isRunning = bytes !== null;
  // One button takes the place of another, and the keyboard from it.
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current === isRunning) return;
    wasRunning.current = isRunning;
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, [isRunning]);
  if (isRunning) {
    return (
      <Button
        ref={button}
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
        <ActionIcon
          ref={button}
          size={36}
          disabled={disabled}
          aria-label={t('lists:export.title')}
          title={t('lists:export.title')}
        >
          <IconDownload size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ format, label, icon: Shape }) => (
          <Menu.Item
            key={format}
            leftSection={<Shape size={16} aria-hidden="true" />}
            onClick={() => void start(format)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** One download at a time; `bytes` is null while there is none. */
function useDownload<F extends string>(file: (format: F) => FetchArgs) {
  const { t } = useTranslation(['common', 'lists']);
  const dispatch = useDispatch<Dispatch>();
  const [bytes, setBytes] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);

  const start = async (format: F) => {
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
