import type { SavedCommand } from '@/api/generated';
import { argumentFields, TEXT_FORM } from '@/components/commands/argumentFields';
import { COMMAND_KINDS } from '@/components/commands/commandKinds';
import { KindField } from '@/components/commands/KindField';
import { useCommandText } from '@/components/commands/useCommandText';
import { defineResource } from '@/resource/defineResource';
import { choice, entity, instant, text } from '@/resource/fields';
import { CommandTabs } from './CommandTabs';

const What = ({ row }: { row: SavedCommand }) => useCommandText()(row);

/** Commands that are kept to be sent again. */
export default defineResource<SavedCommand>({
  key: 'saved-commands',
  fields: {
    name: text({ column: { fixed: true, width: 220 }, form: { first: true } }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      column: { width: 160 },
      filter: true,
      form: { required: true, newOnly: true },
    }),
    kind: choice<SavedCommand>({
      values: COMMAND_KINDS,
      column: { width: 260, phone: 'below', Cell: What },
      filter: { multiple: true },
      form: { required: true, Input: KindField },
    }),
    ...argumentFields<SavedCommand>(),
    text: text({ column: false, form: TEXT_FORM }),
    description: text({ column: { width: 260 }, form: { multiline: true } }),
    created_at: instant({ column: { optional: true, width: 140 } }),
    updated_at: instant({ column: { optional: true, width: 140 } }),
    id: text({ column: { optional: true, width: 110 } }),
  },
  Toolbar: CommandTabs,
});
