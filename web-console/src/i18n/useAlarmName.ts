import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** What an alarm is called in the language of the screen; one that no word is known for is shown as the tracker names it. */
export function useAlarmName(): (alarm: string) => string {
  const { t, i18n } = useTranslation('common');
  return useCallback(
    (alarm) => (i18n.exists(`common:alarm.${alarm}`) ? t(`alarm.${alarm as 'sos'}`) : alarm),
    [t, i18n],
  );
}
