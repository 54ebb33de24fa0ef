import { Button, Text } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Maintenance } from '@/api/generated';
import { useDueWords } from '@/components/useDueWords';
import { useFormats } from '@/i18n/useFormats';
import { newWith, useStackedDrawers } from '@/lib/drawerParam';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Maintenance.module.css';

/** When a maintenance is due, what the meters show, and the way to complete it. */
export function CompleteAction({ row }: { row: Maintenance }) {
  const { t } = useTranslation('maintenance');
  const formats = useFormats();
  const { open } = useStackedDrawers();
  const limits = useDueWords()(row);
  const mayComplete = mayDo('maintenance-logs', 'create', useSelector(selectPerson));
  const { odometer, engine_hours: hours } = row;
  const shown = [
    odometer !== undefined && odometer !== null && t('km', { formatted: formats.number(odometer) }),
    hours !== undefined && hours !== null && t('hours', { formatted: formats.number(hours) }),
  ].filter(Boolean);
  const known = { maintenance_id: row.id, tenant_id: row.tenant_id };
  return (
    <div className={classes.above}>
      <div className={classes.facts}>
        <Text size="sm">{limits.length > 0 ? t('dueAt', { limits: limits.join(' · ') }) : t('noLimit')}</Text>
        {row.is_forecast && row.expected_on && (
          <Text size="sm" c="dimmed">
            {t('forecastFor', { day: formats.date(row.expected_on) })}
          </Text>
        )}
        {shown.length > 0 && (
          <Text size="sm" c="dimmed">
            {t('metersShow', { shown: shown.join(' · ') })}
          </Text>
        )}
      </div>
      {mayComplete && row.state !== 'done' && (
        <Button
          leftSection={<IconChecklist size={16} aria-hidden="true" />}
          onClick={() => open('maintenance-logs', newWith(known))}
        >
          {t('complete')}
        </Button>
      )}
    </div>
  );
}
