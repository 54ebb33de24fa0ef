import type { AlarmName } from '@/api/generated';
import { TRACKER_KINDS } from '@/components/events/eventKinds';
import { alarmText } from '@/i18n/useAlarmName';
import { defineResource } from '@/resource/defineResource';
import { choice, instant, number, text } from '@/resource/fields';
import type { Words } from '@/resource/texts';

/** What is no event of its own. */
const OTHERS = ['as_told', 'none'];

const eventText = (event: string, words: Words) =>
  OTHERS.includes(event) ? words.t(`event.${event}`) : alarmText(event, words);

/** What trackers call alarms that nobody knows, and what platform owners say that they are. */
export default defineResource<AlarmName>({
  key: 'alarm-names',
  fields: {
    name: text({ column: { fixed: true, width: 240 } }),
    event: choice<AlarmName>({
      values: [...OTHERS, ...TRACKER_KINDS],
      searchable: true,
      say: eventText,
      column: { width: 230, phone: 'below' },
      form: { required: true },
    }),
    count: number({ column: { width: 110 } }),
    last_heard_at: instant({ column: { width: 150, phone: 'beside' } }),
    first_heard_at: instant({ column: { width: 150 } }),
    updated_at: instant({ column: { optional: true, width: 150 } }),
    id: text({ column: { optional: true, width: 110 } }),
  },
  noCreate: true,
  refetchOnVisit: true,
});
