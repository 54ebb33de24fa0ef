import type { Gateway } from '@/api/generated';
import { defineResource, type Question, type Values } from '@/resource/defineResource';
import { choice, entity, flag, instant, number, text } from '@/resource/fields';
import type { ResourceText } from '@/resource/texts';
import { AnonymousNotice } from './AnonymousNotice';
import { ConnectionsPart } from './ConnectionsPart';
import { GatewayName, GatewayStatusCell, RejectedCount } from './GatewayCells';
import { STATE_TONES } from './gatewayState';
import { MessagesPart } from './MessagesPart';
import { GatewaysToolbar } from './GatewaysToolbar';
import { showSecret } from './SecretDialog';
import { SecretPart } from './SecretPart';

/** Switching off ends what a gateway does at once. */
function question({ enabled }: Values, gateway: Gateway | undefined, t: ResourceText): Question | undefined {
  if (!gateway?.enabled || enabled) return undefined;
  return { title: t('confirmOff.title', { name: gateway.name }), text: t('confirmOff.text') };
}

/** What publishes positions: who connects, with which secret, and what becomes of what they send. */
export default defineResource<Gateway>({
  key: 'gateways',
  fields: {
    name: text<Gateway>({
      column: { fixed: true, width: 190, Cell: GatewayName },
      form: { newOnly: true, first: true },
    }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      none: 'platform',
      clearable: true,
      column: { width: 160, phone: 'below', file: ['tenant'] },
      filter: true,
      form: { newOnly: true },
    }),
    state: choice({
      values: ['off', 'new', 'connected', 'disconnected'],
      tones: STATE_TONES,
      column: { width: 170, phone: 'beside' },
    }),
    // The server of a file is asked for what it keeps, not for what is open at that moment.
    connections: number({ column: { width: 120, file: [] } }),
    fixes_per_second: number({ decimals: 1, column: { unit: 'unit.per_second', width: 160 } }),
    rejected: number<Gateway>({ column: { width: 150, Cell: RejectedCount } }),
    last_heard_at: instant({ none: 'never', column: { width: 150, phone: 'below' } }),
    enabled: flag({ column: { optional: true, width: 130 }, filter: true, form: { initial: true } }),
    allowed_addresses: text<Gateway>({
      tabular: true,
      column: { optional: true, width: 190 },
      // Who needs no secret never comes from elsewhere than the machine itself.
      form: { multiline: true, allowed: (gateway) => !gateway?.is_anonymous },
    }),
    notes: text({ column: { optional: true, width: 220 }, form: { multiline: true } }),
    created_at: instant({ column: { optional: true, width: 140 } }),
    updated_at: instant({ column: { optional: true, width: 140 } }),
    id: text({ column: { optional: true, width: 110 } }),
  },
  form: {
    tabs: { basic: ['name', 'tenant_id', 'enabled', 'allowed_addresses', 'notes'] },
    question,
    saved: (saved, before) => {
      if (!before && saved.secret) showSecret({ name: saved.name, secret: saved.secret });
    },
  },
  remove: { allowed: ({ is_anonymous: anonymous }) => !anonymous },
  parts: {
    messages: { Part: MessagesPart },
    connections: { Part: ConnectionsPart },
    secret: { Part: SecretPart },
  },
  Subtitle: GatewayStatusCell,
  Above: AnonymousNotice,
  Toolbar: GatewaysToolbar,
  wide: true,
  pollSeconds: 5,
});
