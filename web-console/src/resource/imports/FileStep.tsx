import { Anchor, Button, Loader, Text } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useRef, useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import type { Dispatch } from '@/api/direct';
import { download, saveFile } from '@/api/download';
import { errorText } from '@/i18n/errorText';
import { useFormats } from '@/i18n/useFormats';
import { toastError } from '@/lib/toast';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { callsOf } from '../calls';
import type { ResourceKey } from '../registry';
import { ResourceSelect } from '../ResourceSelect';
import { useResourceTexts } from '../texts';
import classes from './Import.module.css';
import { FILE_MAX, ROWS_MAX } from './importCalls';
import { StepFrame, type StepProps } from './ImportDrawer';

/** The first step: which file, and for platform owners, whose new rows are. */
export function FileStep({ of, importing, onClose }: StepProps) {
  const { t } = useResourceTexts(of);
  const { t: common } = useTranslation();
  const formats = useFormats();
  const choosesTenant = can('platform_owner', useSelector(selectPerson));
  return (
    <StepFrame
      importing={importing}
      title={t('import.heading.file')}
      back={
        <Button variant="default" onClick={onClose}>
          {common('action.cancel')}
        </Button>
      }
      next={importing.file && { label: t('import.next'), onClick: () => importing.goTo('columns') }}
    >
      {choosesTenant && (
        <ResourceSelect
          of="tenants"
          label={t('import.tenant')}
          description={t('import.tenantHelp')}
          clearable
          value={importing.tenantId}
          onChange={importing.setTenant}
        />
      )}
      <DropZone of={of} importing={importing} />
      <Text size="sm" c="dimmed">
        {t('import.limits', { rows: formats.number(ROWS_MAX), size: formats.bytes(FILE_MAX) })}
      </Text>
      <Templates of={of} />
      <Text size="sm">{t('import.changes')}</Text>
    </StepFrame>
  );
}

/** Takes a file that is dropped here, or asks for one. */
function DropZone({ of, importing }: Pick<StepProps, 'of' | 'importing'>) {
  const { t } = useResourceTexts(of);
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const { file, busy } = importing;
  const take = (files: FileList | null) => {
    const [chosen] = files ?? [];
    if (chosen && !busy) void importing.choose(chosen);
  };
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'drop') take(event.dataTransfer.files);
  };
  return (
    <div
      role="group"
      aria-label={t('import.choose')}
      className={classes.drop}
      data-over={over || undefined}
      onDragOver={drag}
      onDragLeave={drag}
      onDrop={drag}
    >
      {busy ? <Loader size={28} /> : <IconFileSpreadsheet size={28} stroke={1.5} aria-hidden="true" />}
      <span role="status">{busy ? t('import.reading') : (file?.name ?? t('import.drop'))}</span>
      <Button
        variant={file ? 'default' : 'filled'}
        disabled={busy}
        data-autofocus
        onClick={() => input.current?.click()}
      >
        {file ? t('import.chooseOther') : t('import.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,.xlsx,text/csv"
        aria-label={t('import.choose')}
        hidden
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          // The same file again, corrected meanwhile, is another one.
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

/** Files with the headings that are understood. */
function Templates({ of }: { of: ResourceKey }) {
  const { t } = useResourceTexts(of);
  const { t: common } = useTranslation(['common', 'lists']);
  const dispatch = useDispatch<Dispatch>();
  const fetch = async (format: 'xlsx' | 'csv') => {
    const call = { url: `${callsOf(of).path}/import/template`, params: { format } };
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    const { data, error } = await dispatch(download(call, options));
    if (data) saveFile(data);
    else toastError(`${t('import.templateFailed')} ${errorText(error, common)}`);
  };
  return (
    <Text size="sm" className={classes.templates}>
      {t('import.template')}
      {(['xlsx', 'csv'] as const).map((format) => (
        <Anchor key={format} component="button" type="button" onClick={() => void fetch(format)}>
          {common(`lists:export.${format}`)}
        </Anchor>
      ))}
    </Text>
  );
}
