import type { Command } from '@/api/generated';
import type { StatusTone } from '@/components/StatusBadge';

/** What a tracker can be told. */
export const COMMAND_KINDS = [
  'engine_stop',
  'engine_resume',
  'position_single',
  'position_periodic',
  'alarm_arm',
  'alarm_disarm',
  'output_control',
  'request_status',
  'reboot',
  'custom',
] as const;

/** How far a command has come, and what that means for who sent it. */
export const STATE_TONES: Record<string, StatusTone> = {
  awaiting_consent: 'warning',
  queued: 'info',
  sent: 'info',
  delivered: 'info',
  acknowledged: 'positive',
  failed: 'negative',
  expired: 'negative',
  cancelled: 'neutral',
  unknown: 'warning',
};

/** What a command needs besides its kind. */
export type Arguments = Partial<Pick<Command, 'kind' | 'interval_seconds' | 'output' | 'output_on' | 'text'>>;

/** Of something that has all arguments, those that its kind needs. */
export function argumentsOf({ kind, interval_seconds, output, output_on, text }: Arguments): Arguments {
  if (kind === 'position_periodic') return { kind, interval_seconds };
  if (kind === 'output_control') return { kind, output, output_on };
  return kind === 'custom' ? { kind, text } : { kind };
}
