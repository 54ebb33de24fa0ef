import { Anchor } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { useListDevicesQuery, useListHeardImeisQuery } from '@/api/api';
import { StatusBadge } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import { imeiDigits } from '@/lib/imei';
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
  const own = useListDevicesQuery({ q: imei, pageSize: 5 }, { skip: !mayList });
  const heard = useListHeardImeisQuery({ q: imei, pageSize: 5 }, { skip: !mayHear, refetchOnMountOrArgChange: true });
  const device = own.currentData?.items.find((each) => each.imei === imei);
  const found = heard.currentData?.items.find((each) => each.imei === imei);
  if (own.isFetching || heard.isFetching) return <div role="status" aria-busy="true" />;
  return (
    <ul className={classes.known} role="status">
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
            <StatusBadge tone="info">{person?.isPlatformOwner ? t('imei.binds') : t('imei.bindsOrClaims')}</StatusBadge>
          </li>
        </>
      )}
    </ul>
  );
}
