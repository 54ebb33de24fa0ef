import { useSelector } from 'react-redux';
import type { Command } from '@/api/generated';
import { argumentFields, TEXT_FORM } from '@/components/commands/argumentFields';
import { COMMAND_KINDS, STATE_TONES } from '@/components/commands/commandKinds';
import { KindField, KindNote } from '@/components/commands/KindField';
import { SavedField } from '@/components/commands/SavedField';
import { PeriodChooser } from '@/components/PeriodChooser';
import { spanOfDays } from '@/lib/daySpan';
import { defineResource } from '@/resource/defineResource';
import { choice, entity, instant, shown, text } from '@/resource/fields';
import { can } from '@/session/abilities';
import { selectTimeZone } from '@/session/sessionSlice';
import { CommandDetails } from './CommandDetails';
import { CommandStateLine, CommandState, CommandText, outcomeOf } from './CommandCells';
import { CommandTabs } from './CommandTabs';
import { question, sendCommand } from './sendCommand';

/** How long a command may wait, in seconds. */
const LIFETIMES = ['600', '3600', '21600', '86400', '604800'] as const;

/** What trackers were told, by whom and why, and what became of it. */
export default defineResource<Command>({
  key: 'commands',
  fields: {
    device_name: text({ column: { fixed: true, width: 170 } }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      column: { width: 130, file: ['tenant'] },
      filter: true,
    }),
    device_id: entity({
      of: 'devices',
      column: false,
      filter: { multiple: true },
      form: { required: true, first: true },
    }),
    saved: text<Command>({
      column: false,
      form: { unsent: true, allowed: (_row, person) => can('saved_command:list', person), Input: SavedField },
    }),
    kind: choice<Command>({
      values: COMMAND_KINDS,
      column: { width: 180, phone: 'below', Cell: CommandText },
      filter: { multiple: true },
      form: { required: true, Input: KindField, Below: KindNote },
    }),
    ...argumentFields<Command>(),
    text: text({ column: { optional: true, width: 220 }, form: TEXT_FORM }),
    state: choice<Command>({
      values: Object.keys(STATE_TONES),
      column: { width: 170, phone: 'beside', Cell: CommandState },
      filter: { multiple: true },
    }),
    outcome: shown<Command>({ column: { width: 170, file: ['state_reason', 'answer'] }, cell: outcomeOf }),
    reason: text({
      column: { optional: true, width: 200 },
      form: { multiline: true, maxLength: 500, required: ({ kind }) => kind === 'engine_stop' },
    }),
    user_id: entity({
      of: 'users',
      label: 'field.user',
      ability: 'user:list',
      column: { width: 140, file: ['user'] },
      filter: { multiple: true },
    }),
    created_at: instant({ column: { width: 130, phone: 'below' } }),
    sent_at: instant({ column: { optional: true, width: 130 } }),
    answered_at: instant({ column: { optional: true, width: 130 } }),
    expires_at: instant({ column: { optional: true, width: 130 } }),
    expires_in: choice({ values: LIFETIMES, column: false, form: { initial: '86400', required: true } }),
    gateway: text({ column: { optional: true, width: 130 } }),
    imei: text({ tabular: true, column: { optional: true, width: 160 } }),
    id: text({ column: { optional: true, width: 110 } }),
  },
  form: { send: sendCommand, question },
  nameOf: ({ device_name: device }) => device,
  // Others send commands too, and trackers answer.
  refetchOnVisit: true,
  // The days have a button of their own.
  params: ['from', 'to'],
  useScope: (params) => {
    const timeZone = useSelector(selectTimeZone);
    return { ...params, filters: { ...params.filters, ...spanOfDays(params.filters, timeZone) } };
  },
  Subtitle: CommandStateLine,
  Toolbar: CommandTabs,
  Filters: PeriodChooser,
  Instead: { when: () => true, Part: CommandDetails },
});
