import { Button, Group } from '@mantine/core';
import { IconMap2, IconPlayerPlay, IconTimelineEvent } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { Alarm } from '@/api/generated';
import { Address } from '@/components/address/Address';
import { AcknowledgeButton } from '@/components/alarms/AcknowledgeButton';
import { CopyButton } from '@/components/CopyButton';
import { usePlaybackLink } from '@/components/events/usePlaybackLink';
import { DrawerText, Fact, Facts } from '@/components/Facts';
import { StatusBadge } from '@/components/StatusBadge';
import { useFormats } from '@/i18n/useFormats';
import { writePlace } from '@/lib/coordinates';
import type { FormProps } from '@/resource/defineResource';
import { EntityName } from '@/resource/names';
import { mayDo } from '@/resource/registry';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { AlarmVehicle } from './AlarmCells';
import classes from './Alarms.module.css';
import { SEVERITY_TONES } from './alarmTones';

/** Everything that is known of one alarm, who has seen to it, and where it leads. */
export function AlarmView({ row, newest }: FormProps<Alarm>) {
  const { t } = useTranslation('alarms');
  const formats = useFormats();
  const person = useSelector(selectPerson);
  // Nothing is typed here, so that it shows what has become of it meanwhile.
  const alarm = newest ?? row;
  if (!alarm) return null;
  const { severity, lat, lng } = alarm;
  return (
    <DrawerText>
      <Facts>
        <Fact label={t('field.severity')}>
          <StatusBadge tone={SEVERITY_TONES[severity] ?? 'neutral'}>
            {t(`severity.${severity as 'critical'}`)}
          </StatusBadge>
        </Fact>
        <Fact label={t('field.device_name')}>
          <AlarmVehicle alarm={alarm} />
        </Fact>
        <Fact label={t('field.first_at')}>{formats.dateTime(alarm.first_at)}</Fact>
        <Fact label={t('field.last_at')}>{formats.dateTime(alarm.last_at)}</Fact>
        <Fact label={t('field.count')}>{formats.number(alarm.count)}</Fact>
        <Fact label={t('field.place')}>
          {lat === undefined || lng === undefined ? (
            t('placeUnknown')
          ) : (
            <>
              <Address key={alarm.id} lat={lat} lng={lng} lines={2} />
              <span className={classes.copied}>
                <span className="tabular">{writePlace([lat, lng])}</span>
                <CopyButton text={writePlace([lat, lng])} label={t('copyPlace')} />
              </span>
            </>
          )}
        </Fact>
        {alarm.acknowledged_at && (
          <Fact label={t('field.acknowledged_at')}>{formats.dateTime(alarm.acknowledged_at)}</Fact>
        )}
        {alarm.acknowledged_by && mayDo('users', 'list', person) && (
          <Fact label={t('field.acknowledged_by')}>
            <EntityName of="users" id={alarm.acknowledged_by} />
          </Fact>
        )}
        {alarm.reaction_seconds !== undefined && (
          <Fact label={t('field.reaction')}>{formats.duration(alarm.reaction_seconds)}</Fact>
        )}
        {alarm.note && (
          <Fact label={t('field.note')}>
            <span className={classes.note}>{alarm.note}</span>
          </Fact>
        )}
        {can('platform_owner', person) && (
          <Fact label={t('field.tenant_id')}>
            <EntityName of="tenants" id={alarm.tenant_id} />
          </Fact>
        )}
      </Facts>
      <Group gap="xs">
        <AcknowledgeButton alarm={alarm} size="compact-sm" />
        <AlarmLinks alarm={alarm} />
      </Group>
    </DrawerText>
  );
}

/** Leads to the vehicle on the map, to the moment on the road, and to its events, for who may see each. */
function AlarmLinks({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation('alarms');
  const person = useSelector(selectPerson);
  const { kind, device_id: deviceId, last_at: at } = alarm;
  const playback = usePlaybackLink()({ kind, device_id: deviceId, occurred_at: at });
  const events = new URLSearchParams({ device_id: deviceId, kind });
  const links = [
    can('position:live', person) && {
      to: `/maps?device_id=${encodeURIComponent(deviceId)}`,
      label: t('showOnMap'),
      Icon: IconMap2,
    },
    playback && { to: playback, label: t('showPlayback'), Icon: IconPlayerPlay },
    mayDo('events', 'list', person) && {
      to: `/events?${events.toString()}`,
      label: t('showEvents'),
      Icon: IconTimelineEvent,
    },
  ];
  return links.map(
    (link) =>
      link && (
        <Button
          key={link.to}
          component={Link}
          to={link.to}
          variant="default"
          size="compact-sm"
          leftSection={<link.Icon size={16} aria-hidden="true" />}
        >
          {link.label}
        </Button>
      ),
  );
}
