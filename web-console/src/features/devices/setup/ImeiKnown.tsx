import { Anchor } from '@mantine/core';
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
import { imeiDigits } from '@/lib/imei';
import { setupPath } from '@/lib/address';
import { useListQuery } from '@/resource/calls';
import type { ResourceForm } from '@/resource/defineResource';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Setup.module.css';

/** What is known of the IMEI that is typed, as far as whoever types it may know. */
export function ImeiKnown({ form }: { form: ResourceForm }) {
  const imei = imeiDigits(String(useWatch({ control: form.control, name: 'imei' }) ?? ''));
  return <div role="status">{/^\d{15}$/.test(imei) && <Known imei={imei} />}</div>;
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
  const found = heard.currentData?.items.find((each) => each.imei === imei);
  return (
    <div className={classes.known}>
      {found ? (
        <Line icon={IconAntennaBars5}>
          {t('imei.heard', { gateways: found.gateways.join(', ') })} <TimeAgo at={found.last_heard} />
        </Line>
      ) : (
        heard.currentData && <Line icon={IconAntennaBarsOff}>{t('imei.notHeard')}</Line>
      )}
      <Line icon={IconInfoCircle}>{person?.isPlatformOwner ? t('imei.binds') : t('imei.bindsOrClaims')}</Line>
    </div>
  );
}

const Line = ({ icon: Shape, children }: { icon: Icon; children: ReactNode }) => (
  <div className={classes.line}>
    <Shape size={18} aria-hidden="true" />
    <span>{children}</span>
  </div>
);
