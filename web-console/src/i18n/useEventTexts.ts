import { useMemo } from 'react';
import type { EventEntry } from '@/api/generated';
import { useWords, type ResourceTexts, type Words } from '@/resource/texts';
import type { Formats } from './format';

/** Words for what has happened, in the language of the screen. */
interface EventTexts {
  /** What a kind is called, or all of a module (`vehicle.*`); one of a newer server is shown as it names it. */
  nameOf: (kind: string) => string;
  /** What was measured or what it is about, in one short line; empty where there is nothing to say. */
  summaryOf: (event: EventEntry) => string;
}

/** Puts events into words: what they are called, and what there is to say of each one in a line. */
export function useEventTexts(): EventTexts {
  const words = useWords('events');
  return useMemo(
    () => ({
      nameOf: (kind) => eventName(kind, words),
      summaryOf: (event) => eventSummary(event, words),
    }),
    [words],
  );
}

/** What a kind is called, for who has the words of events at hand. */
export function eventName(kind: string, { t, has }: Pick<ResourceTexts, 't' | 'has'>): string {
  const [module = '', name = ''] = kind.split('.');
  const key = name === '*' ? `module.${module}` : `kind.${kind}`;
  if (has(key)) return t(key);
  if (module !== 'alarm' || name === '') return kind;
  // All screens share the names of alarms. For one that has none, the end of the key comes back.
  const translated = t(`common:alarm.${name}`);
  return translated === `alarm.${name}` ? name : translated;
}

/** What the number of an event is, by its kind; docs/EVENTS.md says in which unit the server tells it. */
const MEASURES: Record<string, (value: number, formats: Formats) => string> = {
  'vehicle.overspeed': (value, formats) => formats.speed(value),
  'vehicle.idling': (value, formats) => formats.duration(value),
  'vehicle.parked_too_long': (value, formats) => formats.duration(value),
  'vehicle.harsh_acceleration': (value, formats) => `${formats.number(value, 1)} m/s²`,
  'vehicle.harsh_braking': (value, formats) => `${formats.number(value, 1)} m/s²`,
  'vehicle.harsh_cornering': (value, formats) => `${formats.number(value, 1)} m/s²`,
  'fuel.fill': (value, formats) => `${formats.number(value, 1)} L`,
  'fuel.drain': (value, formats) => `${formats.number(value, 1)} L`,
  'device.online': (value, formats) => formats.duration(value),
  'device.low_battery': (value, formats) => `${formats.number(value)} %`,
  'device.odometer_reset': (value, formats) => `${formats.number(value)} km`,
  'device.engine_hours_reset': (value, formats) => `${formats.number(value, 1)} h`,
};

/** What an event of a kind has measured, with its unit; empty where it measures nothing. */
export function eventMeasure(kind: string, value: number | undefined, formats: Formats): string {
  if (value === undefined) return '';
  return MEASURES[kind]?.(value, formats) ?? formats.number(value, 1);
}

/** What there is to say of an event in a line, for who has the words of events at hand. */
export function eventSummary(event: EventEntry, { t, formats }: Pick<Words, 't' | 'formats'>): string {
  const { kind, title, value, limit, since } = event;
  const measured = eventMeasure(kind, value, formats);
  switch (kind) {
    case 'vehicle.overspeed': {
      // A tracker that says so itself measures nothing.
      const speed = measured || eventMeasure(kind, event.speed, formats);
      if (!speed || limit === undefined) return speed;
      const values = { speed, limit: eventMeasure(kind, limit, formats) };
      const apart = detailOf(event, 'fixes_apart_seconds');
      return apart === undefined
        ? t('summary.overspeed', values)
        : t('summary.overspeedCoarse', { ...values, apart: formats.duration(apart) });
    }
    case 'fuel.fill':
    case 'fuel.drain': {
      const confidence = detailOf(event, 'confidence');
      return confidence === undefined
        ? measured
        : t('summary.fuel', { litres: measured, confidence: `${formats.number(confidence)} %` });
    }
    case 'device.odometer_reset':
    case 'device.engine_hours_reset': {
      const [before, after] = [detailOf(event, 'before'), detailOf(event, 'after')];
      if (before === undefined || after === undefined) return '';
      return t('summary.reset', {
        before: eventMeasure(kind, before, formats),
        after: eventMeasure(kind, after, formats),
      });
    }
    case 'device.offline':
      return since === undefined ? '' : t('summary.offline', { time: formats.hour(since) });
    case 'device.online':
      return measured && t('summary.online', { duration: measured });
    case 'document.expiring':
    case 'document.expired':
      return [title, daysLeft(event, { t, formats })].filter(Boolean).join(', ');
    default:
      return title || measured;
  }
}

/** A number that an event says besides. */
export function detailOf({ details }: EventEntry, name: string): number | undefined {
  const value = (details as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'number' ? value : undefined;
}

function daysLeft(event: EventEntry, { t, formats }: Pick<Words, 't' | 'formats'>): string {
  const days = detailOf(event, 'days_left');
  if (days === undefined) return '';
  if (days === 0) return t('summary.today');
  const values = { count: Math.abs(days), formatted: formats.number(Math.abs(days)) };
  return days > 0 ? t('summary.daysLeft', values) : t('summary.daysOver', values);
}
