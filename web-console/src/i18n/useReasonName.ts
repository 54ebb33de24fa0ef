import { useTranslation } from 'react-i18next';

/** What a reason is called in the language of the screen; one of a newer server is shown as it names it. */
export function useReasonName(): (reason: string) => string {
  const { t, i18n } = useTranslation('rejections');
  return (reason) => (i18n.exists(`rejections:reason.${reason}`) ? t(`reason.${reason as 'repeat'}`) : reason);
}
