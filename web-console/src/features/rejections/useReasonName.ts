import { useTranslation } from 'react-i18next';

/** Counted without a message being kept, so there is nothing to filter. */
export const COUNTED_ONLY = new Set(['repeat', 'conflict']);

/** Reasons that the console has words for; another is shown as the server names it. */
const REASONS = [
  'malformed',
  'too_large',
  'too_many_positions',
  'invalid_imei',
  'unknown_device',
  'latitude_out_of_range',
  'longitude_out_of_range',
  'null_island',
  'future_fix',
  'ancient_fix',
  'speed_out_of_range',
  'course_out_of_range',
  'value_out_of_range',
  'before_binding',
  'wrong_partition',
  'repeat',
  'conflict',
] as const;

/** What a reason is called in the language of the screen. */
export function useReasonName(): (reason: string) => string {
  const { t } = useTranslation('rejections');
  return (reason) => {
    const known = REASONS.find((each) => each === reason);
    return known ? t(`reason.${known}`) : reason;
  };
}
