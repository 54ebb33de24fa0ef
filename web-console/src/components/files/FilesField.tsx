import { Button, Input, Progress } from '@mantine/core';
import { IconCamera, IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState, type DragEvent, type RefObject } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { File as StoredFile } from '@/api/generated';
import { useField, type FieldProps } from '@/components/form/field';
import type { Values } from '@/resource/defineResource';
import { useFormContext } from '@/resource/formContext';
import classes from './Files.module.css';
import { FileLine } from './FileLine';
import { ACCEPTED } from './uploadFile';
import { useUploads } from './useUploads';

const idsIn = (value: unknown) =>
  String(value ?? '')
    .split(',')
    .filter(Boolean);

/** What has files. */
interface WithFiles {
  files?: StoredFile[];
  tenant_id?: string;
}

/** The files of a thing: what it has, and others, dropped here, chosen, or taken with the camera of a phone. */
export function FilesField(props: FieldProps<Values>) {
  const { form, name } = props;
  const { t } = useTranslation('documents');
  const row = useFormContext().row as WithFiles | undefined;
  const [arrived, setArrived] = useState<StoredFile[]>([]);
  const [ids, tenant] = useWatch({ control: form.control, name: [name, 'tenant_id'] }) as [unknown, unknown];
  const known = new Map([...(row?.files ?? []), ...arrived].map((file) => [file.id, file]));
  const field = useField(props, (value) =>
    idsIn(value)
      .map((id) => known.get(id)?.name ?? id)
      .join(', '),
  );
  const put = (to: string[]) => form.setValue(name, to.join(','), { shouldDirty: true });
  const tenantId = row ? undefined : String(tenant ?? '') || undefined;
  const { uploads, add, dismiss } = useUploads(row?.tenant_id ?? tenantId, (file) => {
    setArrived((all) => [...all, file]);
    put([...idsIn(form.getValues(name)), file.id]);
  });
  const isUploading = uploads.some(({ problem }) => problem === undefined);
  const { waitFor } = form;
  useEffect(() => (isUploading ? waitFor() : undefined), [isUploading, waitFor]);
  const files = idsIn(ids).flatMap((id) => known.get(id) ?? []);
  return (
    <Input.Wrapper label={field.label} description={field.description} error={field.error} labelElement="div">
      <ul className={classes.files} aria-label={field.label}>
        {files.map((file) => (
          <FileLine
            key={file.id}
            file={file}
            onRemove={field.readOnly ? undefined : () => put(idsIn(ids).filter((id) => id !== file.id))}
          />
        ))}
        {uploads.map(({ key, name: fileName, percent, problem }) => (
          <li key={key} className={classes.file}>
            <div className={classes.line}>
              <span className={classes.name}>{fileName}</span>
              {problem && (
                <Button variant="subtle" size="compact-sm" onClick={() => dismiss(key)}>
                  {t('dismiss')}
                </Button>
              )}
            </div>
            {problem ? (
              <Input.Error role="alert">{problem}</Input.Error>
            ) : (
              <Progress value={percent} aria-label={t('uploading', { name: fileName })} />
            )}
          </li>
        ))}
      </ul>
      {field.readOnly ? files.length === 0 && '–' : <DropZone onFiles={(chosen) => void add(chosen)} />}
    </Input.Wrapper>
  );
}

/** Takes files that are dropped here, or asks for them. */
function DropZone({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const { t } = useTranslation('documents');
  const chooser = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'drop') onFiles(event.dataTransfer.files);
  };
  return (
    <div
      role="group"
      aria-label={t('addFiles')}
      className={classes.drop}
      data-over={over || undefined}
      onDragOver={drag}
      onDragLeave={drag}
      onDrop={drag}
    >
      <span>{t('drop')}</span>
      <Button
        variant="default"
        leftSection={<IconUpload size={16} aria-hidden="true" />}
        onClick={() => chooser.current?.click()}
      >
        {t('choose')}
      </Button>
      <Button
        variant="default"
        hiddenFrom="sm"
        leftSection={<IconCamera size={16} aria-hidden="true" />}
        onClick={() => camera.current?.click()}
      >
        {t('photo')}
      </Button>
      <HiddenInput input={chooser} label={t('choose')} accept={ACCEPTED} multiple onFiles={onFiles} />
      <HiddenInput input={camera} label={t('photo')} accept="image/jpeg" capture="environment" onFiles={onFiles} />
    </div>
  );
}

interface HiddenInputProps {
  input: RefObject<HTMLInputElement | null>;
  label: string;
  accept: string;
  multiple?: boolean;
  capture?: 'environment';
  onFiles: (files: Iterable<File>) => void;
}

/** What opens the browser's own way to choose. */
const HiddenInput = ({ input, label, onFiles, ...rest }: HiddenInputProps) => (
  <input
    {...rest}
    ref={input}
    type="file"
    hidden
    aria-label={label}
    onChange={({ currentTarget }) => {
      onFiles([...(currentTarget.files ?? [])]);
      // The same file again is another one.
      currentTarget.value = '';
    }}
  />
);
