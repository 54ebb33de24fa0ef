import { Anchor, Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Driver } from '@/api/types';
import { CallButton } from '@/components/drivers/CallButton';
import { DueOf } from '@/components/DueOf';
import { ErrorState } from '@/components/ErrorState';
import { useFormats } from '@/i18n/useFormats';
import { useStackedDrawers } from '@/lib/drawerParam';
import { lazyPart } from '@/lib/lazyPart';
import { mayDo } from '@/resource/registry';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './DriverNow.module.css';
import { notedVehicle } from './notedVehicle';
import { usePresentVehicles } from './usePresentVehicles';

const VehicleNow = lazyPart(async () => (await import('@/components/drivers/VehicleNow')).VehicleNow);

/** A driver now: which vehicle they drive and what that does, how they are reached, and what is due of their papers. */
export function DriverNow({ row: driver }: { row: Driver }) {
  const { t } = useTranslation('drivers');
  const seesDue = can('document:list', useSelector(selectPerson));
  return (
    <div className={classes.now}>
      <section aria-label={t('drives.title')} className={classes.card}>
        <h3 className={classes.title}>{t('drives.title')}</h3>
        <Vehicles driver={driver} />
      </section>
      <section aria-label={t('contact.title')} className={classes.card}>
        <h3 className={classes.title}>{t('contact.title')}</h3>
        <Contact driver={driver} />
      </section>
      {seesDue && (
        <section aria-label={t('due.title')} className={classes.card}>
          <h3 className={classes.title}>{t('due.title')}</h3>
          <DueOf driverId={driver.id} />
        </section>
      )}
    </div>
  );
}

function Vehicles({ driver }: { driver: Driver }) {
  const { t } = useTranslation('drivers');
  const formats = useFormats();
  const { open } = useStackedDrawers();
  const mayOpen = mayDo('devices', 'list', useSelector(selectPerson));
  const { vehicles, error, retry } = usePresentVehicles(driver.id);
  if (error) return <ErrorState title={t('drives.failed')} error={error} onRetry={retry} />;
  if (!vehicles) return <Skeleton height={40} aria-busy="true" />;
  if (vehicles.length === 0) {
    const noted = notedVehicle(driver);
    return (
      <Text c="dimmed">
        {t('drives.none')} {noted && t('drives.noted', { text: noted })}
      </Text>
    );
  }
  return (
    <ul className={classes.vehicles}>
      {vehicles.map(({ id, device_id: deviceId, device_name: name, assigned_from: from }) => (
        <li key={id}>
          <div className={classes.line}>
            {mayOpen ? (
              <Anchor component="button" type="button" fw={600} ta="start" onClick={() => open('devices', deviceId)}>
                {name}
              </Anchor>
            ) : (
              <b>{name}</b>
            )}
            <Text size="sm" c="dimmed">
              {t('drives.since', { from: formats.dateTime(from) })}
            </Text>
          </div>
          <VehicleNow deviceId={deviceId} />
        </li>
      ))}
    </ul>
  );
}

function Contact({ driver: { id, phone, email } }: { driver: Driver }) {
  const { t } = useTranslation('drivers');
  if (!phone && !email) return <Text c="dimmed">{t('contact.none')}</Text>;
  return (
    <div className={classes.line}>
      <div>
        {phone && <div className="tabular">{phone}</div>}
        {email && <Anchor href={`mailto:${email}`}>{email}</Anchor>}
      </div>
      <CallButton driverId={id} />
    </div>
  );
}
