import { Anchor } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  IconAntennaBars5,
  IconAntennaBarsOff,
  IconExclamationCircle,
  IconInfoCircle,
  type Icon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { HeardImei } from '@/api/generated';
import type { Device } from '@/api/types';
import { TimeAgo } from '@/components/TimeAgo';
import { isOtherId, trackerId } from '@/lib/imei';
import { setupPath } from '@/lib/address';
import { useListQuery } from '@/resource/calls';
import type { ResourceForm } from '@/resource/defineResource';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Setup.module.css';

const PAUSE_MS = 500;

/** What is known of the identifier that is typed, as far as whoever types it may know. */
export function ImeiKnown({ form }: { form: ResourceForm }) {
  const imei = trackerId(String(useWatch({ control: form.control, name: 'imei' }) ?? ''));
  // When an IMEI is complete can be told; any other may go on.
  const [settled] = useDebouncedValue(imei, PAUSE_MS);
  const isComplete = /^\d{15}$/.test(imei) || (imei === settled && isOtherId(imei));
  return <div role="status">{isComplete && <Known imei={imei} />}</div>;
}

function Known({ imei }: { imei: string }) {
  const { t } = useTranslation('setup');
  const person = useSelector(selectPerson);
  const mayListHeardImeis = can('heard_imei:list', person);
  const asked = { q: imei, page_size: 5 };
  const own = useListQuery<Device>('devices', asked, { skip: !can('device:list', person) });
  const heard = useListQuery<HeardImei>('heard-imeis', asked, {
    skip: !mayListHeardImeis,
    refetchOnMountOrArgChange: true,
  });
  if (own.isFetching || heard.isFetching) return null;
  const device = own.currentData?.items.find((each) => each.imei === imei);
  if (device)
    return (
      <Line icon={IconExclamationCircle}>
        {t('imei.taken', { name: device.name })}{' '}
        <Anchor component={Link} to={setupPath({ device_id: device.id })} inherit>
          {t('imei.goOn')}
        </Anchor>
      </Line>
    );
  const alike = own.currentData?.items.find((each) => each.imei.toLowerCase() === imei.toLowerCase());
  const found = heard.currentData?.items.find((each) => each.imei === imei);
  return (
    <div className={classes.known}>
      {alike && <Line icon={IconExclamationCircle}>{t('imei.alike', { imei: alike.imei, name: alike.name })}</Line>}
      {found ? (
        <Line icon={IconAntennaBars5}>
          {t('imei.heard', { gateways: found.gateways.join(', ') })} <TimeAgo at={found.last_heard} />
        </Line>
      ) : (
        heard.currentData && <Line icon={IconAntennaBarsOff}>{t('imei.notHeard')}</Line>
      )}
      <Line icon={IconInfoCircle}>
        {person?.isPlatformOwner ? t('imei.binds') : isOtherId(imei) ? t('imei.bindsIfHeard') : t('imei.bindsOrClaims')}
      </Line>
    </div>
  );
}

const Line = ({ icon: Shape, children }: { icon: Icon; children: ReactNode }) => (
  <div className={classes.line}>
    <Shape size={18} aria-hidden="true" />
    <span>{children}</span>
  </div>
);
