import type { EventEntry } from '@/api/generated';
import { EVENT_KINDS } from '@/components/events/eventKinds';
import { eventKey } from '@/components/events/eventKey';
import { useEventScope } from '@/components/events/useEventScope';
import { PeriodChooser } from '@/components/PeriodChooser';
import { eventName, eventSummary } from '@/i18n/useEventTexts';
import { findByInstant } from '@/lib/instantKey';
import { defineResource } from '@/resource/defineResource';
import { choice, entity, instant, number, shown } from '@/resource/fields';
import { EventKind, EventPlace, EventSubtitle, EventVehicle } from './EventCells';
import { EventView } from './EventView';

/** What has happened: to vehicles, documents and maintenance. Nothing of it can be changed. */
export default defineResource<EventEntry>({
  key: 'events',
  fields: {
    occurred_at: instant({ exact: true, column: { fixed: true, width: 140 } }),
    kind: choice<EventEntry>({
      values: EVENT_KINDS,
      say: eventName,
      column: { width: 210, phone: 'below', Cell: EventKind },
      filter: { multiple: true },
    }),
    device_name: shown<EventEntry>({
      column: { width: 180, phone: 'below', file: ['device_name'] },
      cell: (event) => event.device_name && <EventVehicle event={event} />,
    }),
    device_id: entity({ of: 'devices', label: 'field.device_name', column: false, filter: { multiple: true } }),
    summary: shown<EventEntry>({
      column: { width: 220, phone: 'below', file: ['title', 'value', 'limit', 'since'] },
      cell: eventSummary,
    }),
    place: shown<EventEntry>({
      column: { width: 220, phone: 'below', file: ['lat', 'lng'] },
      cell: (event) => event.lat !== undefined && <EventPlace event={event} />,
    }),
    speed: number({ column: { optional: true, unit: 'unit.speed', width: 130 } }),
    recorded_at: instant({ exact: true, column: { optional: true, width: 140 } }),
    tenant_id: entity({ of: 'tenants', ability: 'platform_owner', column: { width: 130 }, filter: true }),
  },
  // An event is found by when it was.
  idOf: eventKey,
  findBy: findByInstant,
  nameOf: ({ kind }, texts) => eventName(kind, texts),
  // It grows with whatever vehicles do. The live socket tells of it; who has none is told within a minute.
  refetchOnVisit: true,
  pollSeconds: 60,
  // The days have a button of their own.
  params: ['from', 'to'],
  useScope: useEventScope,
  Form: EventView,
  Subtitle: EventSubtitle,
  Filters: PeriodChooser,
});
