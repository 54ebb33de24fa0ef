import { useTranslation } from 'react-i18next';

/** Reasons that the console has words for; another is shown as the server names it. */
const REASONS = [
  'unknown_imei',
  'invalid_imei',
  'invalid_json',
  'invalid_utf8',
  'invalid_payload',
  'invalid_latitude',
  'invalid_longitude',
  'invalid_speed',
  'no_position',
  'missing_time',
  'future_time',
  'old_time',
  'too_large',
  'too_many',
] as const;

/** What a reason is called in the language of the screen. */
export function useReasonName(): (reason: string) => string {
  const { t } = useTranslation('rejections');
  return (reason) => {
    const known = REASONS.find((each) => each === reason);
    return known ? t(`reason.${known}`) : reason;
  };
}
