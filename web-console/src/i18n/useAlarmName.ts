import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ResourceTexts } from '@/resource/texts';

/** What an alarm is called, of the kind of its events: trackers name it without the module. */
const nameIn = (kind: string) => kind.replace(/^(alarm|device|vehicle)\./, '');

/**
 * What an alarm is called in the language of the screen, by its own name or the kind of its events; one that no word is
 * known for is shown as the tracker names it.
 */
export function useAlarmName(): (alarm: string) => string {
  const { t, i18n } = useTranslation('common');
  return useCallback(
    (alarm) => {
      const name = nameIn(alarm);
      return i18n.exists(`common:alarm.${name}`) ? t(`alarm.${name as 'sos'}`) : name;
    },
    [t, i18n],
  );
}

/** The same for who has the words of a resource at hand. */
export function alarmText(kind: string, { t }: Pick<ResourceTexts, 't'>): string {
  const name = nameIn(kind);
  const translated = t(`common:alarm.${name}`);
  // For a key that there is not, its end comes back.
  return translated === `alarm.${name}` ? name : translated;
}
