import { useComputedColorScheme } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useNavigate } from 'react-router';
import { languageOf } from '@/i18n/languages';
import { selectConnection } from '@/live/connectionSlice';
import { FleetMap } from '@/map/FleetMap';
import { useBaseChoice } from '@/map/useBaseChoice';

const NOTHING: never[] = [];
const PLAIN = { names: false, trails: false };
const UNCOVERED = { top: 0, right: 0, bottom: 0, left: 0 };
const ignore = () => undefined;

/** The fleet at a glance: a vehicle that is pressed is opened on the map's own screen. */
export function SmallMap() {
  const { t, i18n } = useTranslation('maps');
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const { problem } = useSelector(selectConnection);
  const { source } = useBaseChoice();
  const navigate = useNavigate();
  const open = useCallback(
    (deviceId: string | null) => {
      if (deviceId !== null) void navigate(`/maps?device_id=${encodeURIComponent(deviceId)}`);
    },
    [navigate],
  );
  return (
    <FleetMap
      label={t('map.label')}
      scheme={scheme}
      tiles={source}
      language={languageOf(i18n.language)}
      schematicAttribution={t('map.schematic')}
      states={null}
      groups={null}
      search=""
      layers={PLAIN}
      faded={problem === 'silent'}
      chosen={NOTHING}
      selected={null}
      onSelect={open}
      following={false}
      onFollowEnd={ignore}
      tracks={NOTHING}
      onPlace={null}
      places={NOTHING}
      placeTexts={NOTHING}
      onTilesFailed={ignore}
      inset={UNCOVERED}
      fitAtStart
      onReady={ignore}
      onDragged={ignore}
      inPage
    />
  );
}
