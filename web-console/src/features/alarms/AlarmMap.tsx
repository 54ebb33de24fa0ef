import { useComputedColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { languageOf } from '@/i18n/languages';
import { PlaceMap } from '@/map/PlaceMap';

/** Where the vehicle was at the last event of an alarm. */
export function AlarmMap({ lat, lng }: { lat: number; lng: number }) {
  const { t, i18n } = useTranslation(['alarms', 'maps']);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  return (
    <PlaceMap
      label={t('alarms:mapLabel')}
      scheme={scheme}
      language={languageOf(i18n.language)}
      schematicAttribution={t('maps:map.schematic')}
      place={[lat, lng]}
    />
  );
}
