import type { Alarm } from '@/api/generated';

/** Which alarms were there when they were looked at last. */
export interface Heard {
  ids: ReadonlySet<string>;
  /** What was raised before this was not on the list, which had no room for all: it is not new when it moves up. */
  floor: number;
}

/**
 * Those of the open alarms that nobody has heard of yet, whenever they were raised: trackers and sockets may have been silent.
 * What stands when somebody comes is no news.
 */
export function hear(
  before: Heard | null,
  alarms: readonly Alarm[],
  count: number,
): { heard: Heard; arrived: readonly Alarm[] } {
  const raised = (alarm: Alarm) => Date.parse(alarm.first_at);
  const isNew = (alarm: Alarm) => before !== null && !before.ids.has(alarm.id) && raised(alarm) >= before.floor;
  return {
    heard: {
      ids: new Set([...(before?.ids ?? []), ...alarms.map(({ id }) => id)]),
      floor: count > alarms.length ? Math.min(...alarms.map(raised)) : -Infinity,
    },
    arrived: alarms.filter(isNew),
  };
}
