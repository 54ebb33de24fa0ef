import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { DeviceMember } from '@/api/generated';
import { Fact, Facts } from '@/components/Facts';
import { StatusBadge } from '@/components/StatusBadge';
import { useStackedDrawers } from '@/lib/drawerParam';
import { EntityName } from '@/resource/names';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './DeviceMembers.module.css';

interface MemberProps {
  row: DeviceMember;
}

/** Whose link it is. */
export function MemberUser({ row }: MemberProps) {
  const maySee = mayDo('users', 'list', useSelector(selectPerson));
  return maySee && <EntityName of="users" id={row.user_id} />;
}

/** What a link leads from and to, which nobody changes: each opens over it. */
export function MemberFacts({ row }: MemberProps) {
  const { t } = useTranslation('deviceMembers');
  const person = useSelector(selectPerson);
  const { open } = useStackedDrawers();
  return (
    <div className={classes.facts}>
      <Facts>
        <Fact label={t('field.device')}>
          {mayDo('devices', 'list', person) ? (
            <Anchor component="button" type="button" ta="start" onClick={() => open('devices', row.device_id)}>
              {row.device_name}
            </Anchor>
          ) : (
            row.device_name
          )}
        </Fact>
        <Fact label={t('field.vehicle_code')}>{row.vehicle_code}</Fact>
        <Fact label={t('field.imei')}>
          <span className="tabular">{row.imei}</span>
        </Fact>
        {mayDo('users', 'list', person) && (
          <Fact label={t('field.user_id')}>
            <Anchor component="button" type="button" ta="start" onClick={() => open('users', row.user_id)}>
              <EntityName of="users" id={row.user_id} />
            </Anchor>
          </Fact>
        )}
        <Fact label={t('field.status')}>
          {row.status === 'ended' ? (
            <StatusBadge tone="neutral">{t('status.ended')}</StatusBadge>
          ) : (
            <StatusBadge tone="positive">{t('status.active')}</StatusBadge>
          )}
        </Fact>
      </Facts>
    </div>
  );
}
