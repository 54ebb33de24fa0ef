import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import type { Dispatch } from '@/api/direct';
import { errorCode } from '@/api/errors';
import type { File as StoredFile } from '@/api/generated';
import { actErrorText } from '@/i18n/errorText';
import { useFormats } from '@/i18n/useFormats';
import { storageUsage, uploadFile } from './uploadFile';

/** A file on its way, or one that did not arrive. */
export interface Upload {
  key: number;
  name: string;
  /** From 0 to 100. */
  percent: number;
  problem?: string;
}

/** Sends files one after the other, and hands on each that has arrived. */
export function useUploads(tenantId: string | undefined, onArrived: (file: StoredFile) => void) {
  const { t } = useTranslation('documents');
  const { t: common } = useTranslation('common');
  const formats = useFormats();
  const dispatch = useDispatch<Dispatch>();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const next = useRef(0);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    stop.current = abort;
    return () => abort.abort();
  }, []);

  const change = (key: number, to: Partial<Upload>) =>
    setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...to } : each)));
  const dismiss = (key: number) => setUploads((all) => all.filter((each) => each.key !== key));

  const send = async (key: number, file: File, signal: AbortSignal) => {
    const { data: room, error: noRoom } = await dispatch(storageUsage(tenantId, signal));
    if (signal.aborted) return;
    if (!room) return change(key, { problem: actErrorText(noRoom, common) });
    if (file.size > room.file_limit_bytes) {
      return change(key, { problem: t('tooLarge', { size: formats.bytes(room.file_limit_bytes) }) });
    }
    const onProgress = (percent: number) => change(key, { percent });
    const { data, error } = await dispatch(uploadFile({ file, tenantId, signal, onProgress }));
    if (signal.aborted) return;
    if (data) {
      dismiss(key);
      return onArrived(data);
    }
    const isFull = errorCode(error) === 'storage_limit_reached';
    const values = { used: formats.bytes(room.used_bytes), limit: formats.bytes(room.limit_bytes) };
    change(key, { problem: isFull ? t('full', values) : actErrorText(error, common) });
  };

  const add = async (files: Iterable<File>) => {
    const begun = [...files].map((file) => ({ file, key: next.current++ }));
    setUploads((all) => [...all, ...begun.map(({ file, key }) => ({ key, name: file.name, percent: 0 }))]);
    const signal = stop.current?.signal;
    for (const { key, file } of begun) if (signal) await send(key, file, signal);
  };
  return { uploads, add, dismiss };
}
