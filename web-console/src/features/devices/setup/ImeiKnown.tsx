import { Anchor } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { HeardImei } from '@/api/generated';
import type { Device } from '@/api/types';
import { StatusBadge } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import { imeiDigits } from '@/lib/imei';
import { useListQuery } from '@/resource/calls';
import type { ResourceForm } from '@/resource/defineResource';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Setup.module.css';
import { setupPath } from './useSetupAddress';

/** What is known of the IMEI that is typed, as far as whoever types it may know. */
export function ImeiKnown({ form }: { form: ResourceForm }) {
  const imei = imeiDigits(String(useWatch({ control: form.control, name: 'imei' }) ?? ''));
  return /^\d{15}$/.test(imei) ? <Known imei={imei} /> : null;
}

function Known({ imei }: { imei: string }) {
  const { t } = useTranslation('setup');
  const person = useSelector(selectPerson);
  const mayList = can('device:list', person);
  const mayHear = can('heard_imei:list', person);
  const own = useListQuery<Device>('devices', { q: imei, page_size: 5 }, { skip: !mayList });
  const heard = useListQuery<HeardImei>(
    'heard-imeis',
    { q: imei, page_size: 5 },
    { skip: !mayHear, refetchOnMountOrArgChange: true },
  );
  const device = own.currentData?.items.find((each) => each.imei === imei);
  const found = heard.currentData?.items.find((each) => each.imei === imei);
  const isAsking = own.isFetching || heard.isFetching;
  return (
    <div role="status" aria-busy={isAsking || undefined}>
      {!isAsking && (
        <ul className={classes.known}>
          {device ? (
            <li>
              <StatusBadge tone="negative">{t('imei.taken', { name: device.name })}</StatusBadge>{' '}
              <Anchor component={Link} to={setupPath({ device_id: device.id })}>
                {t('imei.goOn')}
              </Anchor>
            </li>
          ) : (
            <>
              {mayHear && (
                <li>
                  {found ? (
                    <StatusBadge tone="positive">
                      {t('imei.heard', { gateways: found.gateways.join(', ') })} <TimeAgo at={found.last_heard} />
                    </StatusBadge>
                  ) : (
                    heard.currentData && <StatusBadge tone="neutral">{t('imei.notHeard')}</StatusBadge>
                  )}
                </li>
              )}
              <li>
                <StatusBadge tone="info">
                  {person?.isPlatformOwner ? t('imei.binds') : t('imei.bindsOrClaims')}
                </StatusBadge>
              </li>
            </>
          )}
        </ul>
      )}
    </div>
  );
}
