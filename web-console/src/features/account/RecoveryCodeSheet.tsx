import { Button, Group, Text } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { saveFile } from '@/api/download';
import { useFormats } from '@/i18n/useFormats';
import { useFocusOnMount } from '@/lib/useFocusOnMount';
import { selectPerson } from '@/session/sessionSlice';
import { CopyButton } from '@/components/CopyButton';
import classes from './TwoFactor.module.css';

/** Recovery codes, which are shown once: to copy, to save and to print. */
export function RecoveryCodeSheet({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const { t } = useTranslation('account');
  const formats = useFormats();
  const person = useSelector(selectPerson);
  const kept = useFocusOnMount<HTMLButtonElement>();
  const [shownAt] = useState(() => Date.now());
  const heading = t('codes.heading', { email: person?.email ?? '', date: formats.date(shownAt) });
  const save = () => {
    const text = [heading, '', ...codes, ''].join('\r\n');
    saveFile({ name: t('codes.file'), content: new Blob([text], { type: 'text/plain' }) });
  };
  return (
    <div className={classes.step}>
      <Text>{t('codes.text')}</Text>
      <div className={classes.sheet}>
        <Text fw={600} className={classes.heading}>
          {heading}
        </Text>
        <ul className={classes.codes} aria-label={t('codes.title')}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <Group gap="xs">
        <CopyButton text={codes.join('\n')} label={t('codes.copy')} />
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          onClick={save}
        >
          {t('codes.download')}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPrinter size={16} aria-hidden="true" />}
          onClick={() => window.print()}
        >
          {t('codes.print')}
        </Button>
      </Group>
      <Button ref={kept} onClick={onKept}>
        {t('codes.kept')}
      </Button>
    </div>
  );
}
