import { ActionIcon, Text } from '@mantine/core';
import { IconDownload, IconEye, IconEyeOff, IconFileTypePdf, IconPhoto, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import type { Dispatch } from '@/api/direct';
import { download, saveFile, type DownloadedFile } from '@/api/download';
import type { File as StoredFile } from '@/api/generated';
import { errorText } from '@/i18n/errorText';
import { useFormats } from '@/i18n/useFormats';
import { toastError } from '@/lib/toast';
import classes from './Files.module.css';

/** A file of a thing: saved, and looked at if it is an image. */
export function FileLine({ file, onRemove }: { file: StoredFile; onRemove?: () => void }) {
  const { t } = useTranslation('documents');
  const formats = useFormats();
  const fetch = useContent(file.id);
  const [image, setImage] = useState<string | null>(null);
  const isImage = file.kind !== 'pdf';
  const save = async () => {
    const content = await fetch();
    if (content) saveFile({ ...content, name: file.name });
  };
  const look = async () => {
    const content = image === null ? await fetch() : undefined;
    setImage(content ? await asUrl(content.content) : null);
  };
  const Shape = isImage ? IconPhoto : IconFileTypePdf;
  const Eye = image === null ? IconEye : IconEyeOff;
  const act = (label: string, Mark: typeof Eye, onClick: () => void) => (
    <ActionIcon variant="subtle" color="gray" size={36} aria-label={label} title={label} onClick={onClick}>
      <Mark size={18} aria-hidden="true" />
    </ActionIcon>
  );
  const named = { name: file.name };
  return (
    <li className={classes.file}>
      <div className={classes.line}>
        <Shape size={20} aria-hidden="true" />
        <span className={classes.name}>
          {file.name}
          <Text component="div" size="xs" c="dimmed">
            {formats.bytes(file.size)}
          </Text>
        </span>
        {isImage && act(image === null ? t('show', named) : t('hide', named), Eye, () => void look())}
        {act(t('saveFile', named), IconDownload, () => void save())}
        {onRemove && act(t('removeFile', named), IconTrash, onRemove)}
      </div>
      {image !== null && <img src={image} alt={file.name} className={classes.preview} />}
    </li>
  );
}

/** Fetches the content of a file with the session's token. */
function useContent(id: string) {
  const { t } = useTranslation('documents');
  const { t: common } = useTranslation('common');
  const dispatch = useDispatch<Dispatch>();
  return async (): Promise<DownloadedFile | undefined> => {
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    const call = download({ url: `/api/v1/files/${encodeURIComponent(id)}/content` }, options);
    const { data, error } = await dispatch(call);
    if (!data) toastError(`${t('contentFailed')} ${errorText(error, common)}`);
    return data;
  };
}

/** An image as the page may show it: nothing but what stands in the address itself. */
const asUrl = (content: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error('the image cannot be read'));
    reader.readAsDataURL(content);
  });
