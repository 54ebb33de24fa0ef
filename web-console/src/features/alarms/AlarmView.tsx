import { ActionIcon, Button, Group, Stack, useComputedColorScheme } from '@mantine/core';
import { IconMap2, IconPhone, IconPlayerPlay, IconTimelineEvent } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { Alarm } from '@/api/generated';
import { Address } from '@/components/address/Address';
import { AcknowledgeForm } from '@/components/alarms/AcknowledgeForm';
import { callAddress, useAlarmVehicle } from '@/components/alarms/useAlarmVehicle';
import { CopyButton } from '@/components/CopyButton';
import { usePlaybackLink } from '@/components/events/usePlaybackLink';
import { DrawerFoot, DrawerText, Fact, Facts } from '@/components/Facts';
import { languageOf } from '@/i18n/languages';
import { useAlarmName } from '@/i18n/useAlarmName';
import { writePlace } from '@/lib/coordinates';
import { lazyPart } from '@/lib/lazyPart';
import type { FormProps } from '@/resource/defineResource';
import { EntityName } from '@/resource/names';
import { mayDo } from '@/resource/registry';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { AlarmVehicle } from './AlarmCells';
import { AlarmStrip } from './AlarmStrip';
import { AlarmTimes } from './AlarmTimes';
import classes from './Alarms.module.css';

/** The map's library comes with it. */
const PlaceMap = lazyPart(async () => (await import('@/map/PlaceMap')).PlaceMap);

/** The whole act in one place: what it is, where, whom to call, and that it is seen to. */
export function AlarmView({ row, newest }: FormProps<Alarm>) {
  const { t } = useTranslation('alarms');
  const alarmName = useAlarmName();
  const mayAcknowledge = can('alarm:acknowledge', useSelector(selectPerson));
  // Nothing of it is typed here, so that it shows what has become of it meanwhile.
  const alarm = newest ?? row;
  if (!alarm) return null;
  return (
    <>
      <DrawerText>
        <AlarmStrip alarm={alarm} />
        <AlarmPlaceOnMap alarm={alarm} />
        <AlarmFacts alarm={alarm} />
        <AlarmLinks alarm={alarm} />
        <AlarmTimes alarm={alarm} />
      </DrawerText>
      {mayAcknowledge && alarm.state === 'open' && (
        <DrawerFoot>
          <AcknowledgeForm
            key={alarm.id}
            count={1}
            ids={() => Promise.resolve({ data: [alarm.id] })}
            label={t('acknowledge.named', { alarm: `${alarmName(alarm.kind)}, ${alarm.device_name}` })}
            lines={1}
          />
        </DrawerFoot>
      )}
    </>
  );
}

interface AlarmProps {
  alarm: Alarm;
}

/** As high as the map that comes, so that nothing moves. */
function AlarmPlaceOnMap({ alarm: { lat, lng } }: AlarmProps) {
  const { t, i18n } = useTranslation(['alarms', 'maps']);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  if (lat === undefined || lng === undefined) return null;
  return (
    <div className={classes.map}>
      <PlaceMap
        label={t('alarms:mapLabel')}
        scheme={scheme}
        language={languageOf(i18n.language)}
        schematicAttribution={t('maps:map.schematic')}
        place={[lat, lng]}
      />
    </div>
  );
}

function AlarmFacts({ alarm }: AlarmProps) {
  const { t } = useTranslation('alarms');
  const { plate, driver, phone } = useAlarmVehicle(alarm.device_id);
  const person = useSelector(selectPerson);
  const { lat, lng } = alarm;
  return (
    <Stack gap="sm">
      <Facts>
        <Fact label={t('field.device_name')}>
          <span className={classes.vehicle}>
            <AlarmVehicle alarm={alarm} />
          </span>
          {plate && <span className={`tabular ${classes.plate}`}>{plate}</span>}
        </Fact>
        <Fact label={t('field.driver')}>{driver || t('noDriver')}</Fact>
      </Facts>
      {phone && (
        <Button
          component="a"
          href={callAddress(phone)}
          variant="light"
          h={44}
          fullWidth
          leftSection={<IconPhone size={18} aria-hidden="true" />}
        >
          {t('callAt', { name: driver, phone })}
        </Button>
      )}
      <Facts>
        <Fact label={t('field.place')}>
          {lat === undefined || lng === undefined ? (
            t('placeUnknown')
          ) : (
            <Address key={alarm.last_event_id} lat={lat} lng={lng} lines={2} />
          )}
        </Fact>
        {alarm.acknowledged_by && mayDo('users', 'list', person) && (
          <Fact label={t('field.acknowledged_by')}>
            <EntityName of="users" id={alarm.acknowledged_by} />
          </Fact>
        )}
        {alarm.note && (
          <Fact label={t('field.note')}>
            <span className={classes.note}>{alarm.note}</span>
          </Fact>
        )}
      </Facts>
    </Stack>
  );
}

/** Leads to the vehicle on the map, to the moment on the road, and to its events, for who may see each. */
function AlarmLinks({ alarm }: AlarmProps) {
  const { t } = useTranslation('alarms');
  const person = useSelector(selectPerson);
  const { kind, device_id: deviceId, last_at: at, lat, lng } = alarm;
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
  return (
    <Group gap="xs">
      {links.map(
        (link) =>
          link && (
            <ActionIcon
              key={link.to}
              component={Link}
              to={link.to}
              variant="default"
              size={36}
              aria-label={link.label}
              title={link.label}
            >
              <link.Icon size={18} aria-hidden="true" />
            </ActionIcon>
          ),
      )}
      {lat !== undefined && lng !== undefined && (
        <CopyButton text={writePlace([lat, lng])} label={t('copyPlace')} iconOnly />
      )}
    </Group>
  );
}
