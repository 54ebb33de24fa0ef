import { useComputedColorScheme } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTitle } from '@/lib/useTitle';
import { useLiveDevice } from '@/live/useLive';
import { useCanWatchLive } from '@/live/useLiveSession';
import { FleetMap, type MapControls, type MapInset } from '@/map/FleetMap';
import { loadTileSource, saveTileSource, type TileSource } from '@/map/tileSource';
import { useIsPhone } from '@/theme/breakpoints';
import { MapTools } from './MapTools';
import classes from './MapsPage.module.css';
import { SelectionAnnouncer } from './SelectionAnnouncer';
import { useMapAddress } from './useMapAddress';
import { useTrackOfToday } from './useTrackOfToday';
import { VehicleCard } from './VehicleCard';
import { VehiclePanel } from './VehiclePanel';

/** What the panel covers of the map, in pixels. */
const PANEL_WIDTH = 384;
const SHEET_PEEK = 104;
/** The part of the window that the open sheet takes, as its style says. */
const SHEET_OPEN = 0.62;
const DOCKED_CARD = 290;
const CALLOUT_HEIGHT = 360;
const CALLOUT_HALF = 160;

/** Live vehicles on a map that fills the screen. */
export function MapsPage() {
  const { t } = useTranslation('maps');
  useTitle(t('title'));
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const narrow = useIsPhone();
  const { device_id: selected, states, set } = useMapAddress();
  const select = useCallback((deviceId: string | null) => set({ device_id: deviceId }), [set]);
  const mayWatch = useCanWatchLive();
  const device = useLiveDevice(selected);
  const track = useTrackOfToday(selected);

  const [panelOpen, setPanelOpen] = useState(!narrow);
  const [tiles, setTiles] = useState<TileSource | null>(loadTileSource);
  const controls = useRef<MapControls | null>(null);
  const [askedFor] = useState(selected);
  const [ready, setReady] = useState(false);
  const onReady = useCallback((given: MapControls) => {
    controls.current = given;
    setReady(true);
  }, []);
  const inset = useMemo(() => insetOf(narrow, panelOpen, selected !== null), [narrow, panelOpen, selected]);

  const [followed, follow] = useState<string | null>(null);
  const following = selected !== null && followed === selected;
  const toggleFollow = (deviceId: string) => {
    follow(following && deviceId === selected ? null : deviceId);
    if (deviceId !== selected) select(deviceId);
    if (narrow) setPanelOpen(false);
  };

  const chooseFromList = (deviceId: string) => {
    select(deviceId);
    setDestination({ deviceId });
    if (narrow) setPanelOpen(false);
  };

  // Not before the panels have made room: the map goes to the middle of what they leave free. And not before it is known
  // where the vehicle is: a link to one may come first.
  const [destination, setDestination] = useState(askedFor === null ? null : { deviceId: askedFor });
  const place = device?.position;
  useEffect(() => {
    if (!ready || !destination || !place || place.deviceId !== destination.deviceId) return;
    controls.current?.flyTo([place.lat, place.lng]);
    // Once; from then on the map stays where the user wants it.
    setDestination(null);
  }, [ready, destination, place]);

  useHotkeys([['Escape', () => select(null)]]);

  const card = mayWatch && selected && (
    <VehicleCard
      deviceId={selected}
      track={track}
      following={following}
      onFollow={() => toggleFollow(selected)}
      onClose={() => select(null)}
    />
  );
  return (
    <div className={classes.screen}>
      <h1 className="visually-hidden">{t('title')}</h1>
      <FleetMap
        label={t('map.label')}
        scheme={scheme}
        tiles={tiles}
        schematicAttribution={t('map.schematic')}
        states={states}
        selected={selected}
        onSelect={select}
        following={following}
        onFollowEnd={() => follow(null)}
        callout={narrow ? null : card}
        track={track.points}
        inset={inset}
        fitAtStart={askedFor === null}
        onReady={onReady}
      />
      {narrow && card && !panelOpen && <div className={classes.docked}>{card}</div>}
      <VehiclePanel
        open={panelOpen}
        onToggle={() => setPanelOpen(!panelOpen)}
        selected={selected}
        following={following}
        onSelect={chooseFromList}
        onFollow={toggleFollow}
      />
      <MapTools
        controls={controls}
        tiles={tiles}
        onTiles={(source) => {
          saveTileSource(source);
          setTiles(source);
        }}
      />
      <SelectionAnnouncer deviceId={selected} />
    </div>
  );
}

/** What panels and the selected vehicle's card cover. */
function insetOf(narrow: boolean, panelOpen: boolean, withCard: boolean): MapInset {
  if (narrow) {
    const bottom = panelOpen ? window.innerHeight * SHEET_OPEN : SHEET_PEEK + (withCard ? DOCKED_CARD : 0);
    return { top: 0, right: 0, bottom, left: 0 };
  }
  return {
    top: withCard ? CALLOUT_HEIGHT : 0,
    right: withCard ? CALLOUT_HALF : 0,
    bottom: 0,
    left: panelOpen ? PANEL_WIDTH : 0,
  };
}
