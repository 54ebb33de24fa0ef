import { useComputedColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackPoint } from '@/api/generated';
import { languageOf } from '@/i18n/languages';
import { isElsewhere } from '@/lib/fixMarks';
import { useNow } from '@/lib/useNow';
import type { LivePosition } from '@/live/position';
import { vehicleState } from '@/live/vehicleState';
import { DayMap } from '@/map/DayMap';

/** Where a vehicle is, and the way that it has come today. */
export function NowMap({ position, fixes }: { position: LivePosition; fixes: readonly TrackPoint[] }) {
  const { t, i18n } = useTranslation(['devicePage', 'maps']);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const state = vehicleState(position, useNow());
  // A jump is nowhere on the way.
  const track = useMemo(
    () => fixes.filter((fix) => !isElsewhere(fix)).map(({ lat, lng }): [number, number] => [lat, lng]),
    [fixes],
  );
  const { lat, lng, course } = position;
  return (
    <DayMap
      label={t('devicePage:today.map')}
      scheme={scheme}
      language={languageOf(i18n.language)}
      schematicAttribution={t('maps:map.schematic')}
      track={track}
      vehicle={{ lat, lng, course: course ?? 0, state }}
    />
  );
}
