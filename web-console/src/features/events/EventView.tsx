import { Button, Group } from '@mantine/core';
import { IconFileCertificate, IconPlayerPlay, IconTool, IconTruck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { EventEntry } from '@/api/generated';
import { Address } from '@/components/address/Address';
import { CopyButton } from '@/components/CopyButton';
import { usePlaybackLink } from '@/components/events/usePlaybackLink';
import { DrawerText, Fact, Facts } from '@/components/Facts';
import { useFormats } from '@/i18n/useFormats';
import { eventMeasure } from '@/i18n/useEventTexts';
import { writePlace } from '@/lib/coordinates';
import { useStackedDrawers } from '@/lib/drawerParam';
import type { FormProps } from '@/resource/defineResource';
import { EntityName } from '@/resource/names';
import { mayDo } from '@/resource/registry';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { DetailFacts } from './DetailFacts';
import classes from './Events.module.css';

/** What is noticed within this time is told as if at once. */
const AT_ONCE_MS = 60_000;

/** Everything that is known of one event, and where it leads. */
export function EventView({ row: event }: FormProps<EventEntry>) {
  const { t } = useTranslation('events');
  const formats = useFormats();
  const person = useSelector(selectPerson);
  if (!event) return null;
  const { kind, lat, lng } = event;
  const isLate = Date.parse(event.recorded_at) - Date.parse(event.occurred_at) > AT_ONCE_MS;
  return (
    <DrawerText>
      <Facts>
        <Fact label={t('field.occurred_at')}>{formats.dateTime(event.occurred_at)}</Fact>
        {isLate && <Fact label={t('field.recorded_at')}>{formats.dateTime(event.recorded_at)}</Fact>}
        {event.device_id && <Fact label={t('field.device_name')}>{event.device_name}</Fact>}
        {event.driver_id && mayDo('drivers', 'list', person) && (
          <Fact label={t('field.driver_id')}>
            <EntityName of="drivers" id={event.driver_id} absent="–" />
          </Fact>
        )}
        {event.title && <Fact label={t('field.title')}>{event.title}</Fact>}
        {event.value !== undefined && <Fact label={t('field.value')}>{eventMeasure(kind, event.value, formats)}</Fact>}
        {event.limit !== undefined && <Fact label={t('field.limit')}>{eventMeasure(kind, event.limit, formats)}</Fact>}
        {event.since && <Fact label={t('field.since')}>{formats.dateTime(event.since)}</Fact>}
        {event.speed !== undefined && <Fact label={t('field.speed')}>{formats.speed(event.speed)}</Fact>}
        {lat !== undefined && lng !== undefined && (
          <Fact label={t('field.place')}>
            <Address key={event.id} lat={lat} lng={lng} lines={2} />
            <span className={classes.copied}>
              <span className="tabular">{writePlace([lat, lng])}</span>
              <CopyButton iconOnly text={writePlace([lat, lng])} label={t('copyPlace')} />
            </span>
          </Fact>
        )}
        {can('platform_owner', person) && (
          <Fact label={t('field.tenant_id')}>
            <EntityName of="tenants" id={event.tenant_id} />
          </Fact>
        )}
      </Facts>
      <DetailFacts details={event.details} />
      <EventLinks event={event} />
      <Facts>
        <Fact label={t('field.id')}>
          <code className={classes.code}>{event.id}</code>
        </Fact>
      </Facts>
    </DrawerText>
  );
}

/** What papers and maintenance are called as resources, by the module of the kind. */
const SUBJECTS = {
  document: { of: 'documents', label: 'openDocument', Icon: IconFileCertificate },
  maintenance: { of: 'maintenance', label: 'openMaintenance', Icon: IconTool },
} as const;

/** Leads to the moment on the road, to the vehicle, and to what the event is about, for who may see each. */
function EventLinks({ event }: { event: EventEntry }) {
  const { t } = useTranslation('events');
  const person = useSelector(selectPerson);
  const playback = usePlaybackLink()(event);
  const { open } = useStackedDrawers();
  const { kind, device_id: deviceId, subject_id: subjectId } = event;
  const module = kind.split('.')[0];
  const subject = module === 'document' || module === 'maintenance' ? SUBJECTS[module] : undefined;
  return (
    <Group gap="xs">
      {playback && (
        <Button
          component={Link}
          to={playback}
          variant="default"
          size="compact-sm"
          leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
        >
          {t('showPlayback')}
        </Button>
      )}
      {subject && mayDo(subject.of, 'list', person) && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<subject.Icon size={16} aria-hidden="true" />}
          onClick={() => open(subject.of, subjectId)}
        >
          {t(subject.label)}
        </Button>
      )}
      {deviceId && mayDo('devices', 'list', person) && (
        <Button
          component={Link}
          to={`/devices/${encodeURIComponent(deviceId)}`}
          variant="default"
          size="compact-sm"
          leftSection={<IconTruck size={16} aria-hidden="true" />}
        >
          {t('openVehicle')}
        </Button>
      )}
    </Group>
  );
}
