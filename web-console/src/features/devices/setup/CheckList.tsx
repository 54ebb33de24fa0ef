import { Text } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Device } from '@/api/types';
import { WhereTo } from './ModelFacts';
import classes from './Setup.module.css';
import { useTracker } from './useTracker';

interface CheckListProps {
  device: Device;
  /** Something came, and was refused. */
  isRefused: boolean;
}

/** What to look after when a tracker is not heard, in the order in which it is most often the reason. */
export function CheckList({ device, isRefused }: CheckListProps) {
  const { t } = useTranslation('setup');
  const { port } = useTracker(device.gps_model_id, device.gps_protocol_id);
  const checks = [
    ['power', t('check.power')],
    ['sim', device.sim_number ? t('check.simOf', { number: device.sim_number }) : t('check.sim')],
    ['server', port ? t('check.serverOf', { port }) : t('check.server')],
    ['imei', t('check.imei', { imei: device.imei })],
    ['gateway', t('check.gateway')],
    ['sky', t('check.sky')],
  ] as const;
  return (
    <section className={classes.card} aria-label={t('check.title')}>
      <h3 className={classes.cardTitle}>{t('check.title')}</h3>
      <Text size="sm">{isRefused ? t('check.refused') : t('check.text')}</Text>
      <ul className={classes.checks}>
        {checks.map(([name, text]) => (
          <li key={name} className={classes.check}>
            <IconHelpCircle size={18} aria-hidden="true" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <WhereTo />
    </section>
  );
}
