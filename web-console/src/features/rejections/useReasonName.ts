import { useTranslation } from 'react-i18next';

/** Counted without a message being kept, so there is nothing to filter. */
export const COUNTED_ONLY = new Set(['repeat', 'conflict']);

/** What a reason is called in the language of the screen; one of a newer server is shown as it names it. */
export function useReasonName(): (reason: string) => string {
  const { t, i18n } = useTranslation('rejections');
  return (reason) => (i18n.exists(`rejections:reason.${reason}`) ? t(`reason.${reason as 'repeat'}`) : reason);
}
