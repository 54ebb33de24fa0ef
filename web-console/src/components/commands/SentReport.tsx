import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SentCommandList } from '@/api/generated';
import classes from '@/components/DrivingHistory.module.css';
import { useFormats } from '@/i18n/useFormats';
import { EntityName } from '@/resource/names';

/** Why a device got no command; other codes are told as one that could not be sent. */
const KNOWN = ['not_found', 'forbidden', 'unsupported_by_protocol'] as const;

/** What became of a command to many devices: how many got it, and why the others did not. */
export function SentReport({ report, onDone }: { report: SentCommandList; onDone: () => void }) {
  const { t } = useTranslation('commands');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const words = (count: number) => ({ count, formatted: formats.number(count) });
  const failed = report.items.filter(({ error }) => error);
  const why = (error: string) => t(`many.error.${KNOWN.find((code) => code === error) ?? 'other'}`);
  return (
    <Stack>
      <Text role="status">
        {t('many.sent', words(report.succeeded))} {report.failed > 0 && t('many.notSent', words(report.failed))}
      </Text>
      {failed.length > 0 && (
        <ul className={classes.list} aria-label={t('many.failures')}>
          {failed.map(({ device_id: id, error }) => (
            <li key={id} className={classes.assignment}>
              <div className={classes.name}>
                <span>
                  <EntityName of="devices" id={id} />
                </span>
                <Text size="sm" c="dimmed">
                  {why(error)}
                </Text>
              </div>
            </li>
          ))}
        </ul>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          {common('action.close')}
        </Button>
      </Group>
    </Stack>
  );
}
