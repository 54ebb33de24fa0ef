import { useComputedColorScheme } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useTitle } from '@/lib/useTitle';
import { liveStore } from '@/live/liveStore';
import { useLivePosition } from '@/live/useLive';
import { useLiveConnection } from '@/live/useLiveConnection';
import type { VehicleState } from '@/live/vehicleState';
import { FleetMap, type MapControls, type MapInset } from '@/map/FleetMap';
import { loadTileSource, saveTileSource, type TileSource } from '@/map/tileSource';
import { MapTools } from './MapTools';
import classes from './MapsPage.module.css';
import { SelectionAnnouncer } from './SelectionAnnouncer';
import { useFleet } from './useFleet';
import { useTrackOfToday } from './useTrackOfToday';
import { VehicleCard } from './VehicleCard';
import { VehiclePanel } from './VehiclePanel';

const DEVICE_PARAM = 'device_id';
/** What the panel covers of the map, in pixels. */
const PANEL_WIDTH = 384;
const SHEET_PEEK = 120;
const DOCKED_CARD = 330;
const CALLOUT_HEIGHT = 320;
const CALLOUT_HALF = 150;

/** Live vehicles on a map that fills the screen. */
export function MapsPage() {
  const { t } = useTranslation('maps');
  useTitle(t('title'));
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false }) ?? false;
  const [selected, select] = useSelection();
  const { reconnect } = useLiveConnection('maps', selected);
  const fleet = useFleet();
  const track = useTrackOfToday(selected);

  const [panelOpen, setPanelOpen] = useState(!narrow);
  const [states, setStates] = useState<VehicleState[] | null>(null);
  const [tiles, setTiles] = useState<TileSource | null>(loadTileSource);
  const controls = useRef<MapControls | null>(null);
  const [askedFor] = useState(selected);
  const arrived = useRef(false);
  const [ready, setReady] = useState(false);
  const onReady = useCallback((given: MapControls) => {
    controls.current = given;
    setReady(true);
  }, []);
  const inset = useMemo(
    () => insetOf(narrow, panelOpen, selected !== null),
    [narrow, panelOpen, selected],
  );

  const flyTo = useCallback((deviceId: string) => {
    const position = liveStore.get(deviceId);
    if (position) controls.current?.flyTo([position.lat, position.lng]);
    return position !== undefined;
  }, []);

  const chooseFromList = (deviceId: string) => {
    select(deviceId);
    setDestination({ deviceId });
    if (narrow) setPanelOpen(false);
  };

  // Not before the panels have made room: the map goes to the middle of what they leave free.
  const [destination, setDestination] = useState<{ deviceId: string } | null>(null);
  useEffect(() => {
    if (destination) flyTo(destination.deviceId);
  }, [destination, flyTo]);

  // A link to a vehicle leads to it as soon as its position is known.
  const askedIsKnown = useLivePosition(askedFor ?? '') !== undefined;
  useEffect(() => {
    if (ready && askedFor && askedIsKnown && !arrived.current) arrived.current = flyTo(askedFor);
  }, [ready, askedFor, askedIsKnown, flyTo]);

  useHotkeys([['Escape', () => select(null)]]);

  const card = selected && (
    <VehicleCard
      deviceId={selected}
      name={fleet.names[selected] ?? selected}
      track={track}
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
        names={fleet.names}
        states={states}
        selected={selected}
        onSelect={select}
        callout={narrow ? null : card}
        track={track.points}
        inset={inset}
        fitAtStart={askedFor === null}
        onReady={onReady}
      />
      {narrow && card && !panelOpen && <div className={classes.docked}>{card}</div>}
      <VehiclePanel
        fleet={fleet}
        open={panelOpen}
        onToggle={() => setPanelOpen(!panelOpen)}
        states={states}
        onStates={setStates}
        selected={selected}
        onSelect={chooseFromList}
        onReconnect={reconnect}
      />
      <MapTools
        controls={controls}
        tiles={tiles}
        onTiles={(source) => {
          saveTileSource(source);
          setTiles(source);
        }}
      />
      <SelectionAnnouncer deviceId={selected} name={selected ? (fleet.names[selected] ?? '') : ''} />
    </div>
  );
}

/** What panels and the selected vehicle's card cover. */
function insetOf(narrow: boolean, panelOpen: boolean, withCard: boolean): MapInset {
  if (narrow) return { top: 0, right: 0, bottom: SHEET_PEEK + (withCard ? DOCKED_CARD : 0), left: 0 };
  return {
    top: withCard ? CALLOUT_HEIGHT : 0,
    right: withCard ? CALLOUT_HALF : 0,
    bottom: 0,
    left: panelOpen ? PANEL_WIDTH : 0,
  };
}

/** The selected vehicle, kept in the address: `/maps?device_id=…` leads to it. */
function useSelection(): [string | null, (deviceId: string | null) => void] {
  const [search, setSearch] = useSearchParams();
  const select = useCallback(
    (deviceId: string | null) =>
      setSearch(
        (current) => {
          const next = new URLSearchParams(current);
          if (deviceId === null) next.delete(DEVICE_PARAM);
          else next.set(DEVICE_PARAM, deviceId);
          return next;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return [search.get(DEVICE_PARAM), select];
}
