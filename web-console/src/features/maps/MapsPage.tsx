import { useComputedColorScheme } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { languageOf } from '@/i18n/languages';
import { useFormats } from '@/i18n/useFormats';
import { useAddress } from '@/lib/address';
import { drawersIn } from '@/lib/drawerParam';
import { metresAlong } from '@/lib/greatCircle';
import { lazyPart } from '@/lib/lazyPart';
import { useTitle } from '@/lib/useTitle';
import { selectConnection } from '@/live/connectionSlice';
import { useCanWatchLive } from '@/live/useLiveSession';
import { FleetMap, type MapControls, type MapInset } from '@/map/FleetMap';
import { useIsPhone } from '@/theme/breakpoints';
import { readArea, writeArea } from './mapArea';
import { MapTools } from './MapTools';
import classes from './MapsPage.module.css';
import { SelectionAnnouncer } from './SelectionAnnouncer';
import { useDestination } from './useDestination';
import { useMapAddress } from './useMapAddress';
import { useMapFullscreen } from './useMapFullscreen';
import { useMapSettings } from './useMapSettings';
import { useMapTool } from './useMapTool';
import { useTrackOfToday } from './useTrackOfToday';
import { VehicleCard } from './VehicleCard';
import { VehiclePanel } from './VehiclePanel';

const MapViews = lazyPart(() => import('./MapViews').then((module) => module.MapViews));
const ToolPanel = lazyPart(() => import('./ToolPanel').then((module) => module.ToolPanel));
const OverDrawers = lazyPart(() => import('@/resource/OverDrawers').then((module) => module.OverDrawers));

/** What the panel covers of the map, in pixels. */
const PANEL_WIDTH = 384;
const SHEET_PEEK = 104;
/** The part of the window that the open sheet takes, as its style says. */
const SHEET_OPEN = 0.62;
/** The part of the window that a card takes on a phone, as its style says. */
const DOCKED_CARD = 0.42;
const CALLOUT_HEIGHT = 450;
const CALLOUT_HALF = 160;
const TOOL_PANEL = 372;

/** Live vehicles on a map that fills the screen. */
export function MapsPage() {
  const { t, i18n } = useTranslation('maps');
  useTitle(t('title'));
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const narrow = useIsPhone();
  const { set, ...mapAddress } = useMapAddress();
  const { device_id: selected, states, q: search, area } = mapAddress;
  const { search: address } = useAddress();
  const select = useCallback((deviceId: string | null) => set({ device_id: deviceId }), [set]);
  const mayWatch = useCanWatchLive();
  const track = useTrackOfToday(selected);

  const [panelOpen, setPanelOpen] = useState(!narrow);
  const settings = useMapSettings();
  const [tilesFailed, setTilesFailed] = useState(false);
  const [fullscreen, toggleFullscreen] = useMapFullscreen();
  const toolState = useMapTool();
  const { tool, places } = toolState;
  const cardShown = selected !== null && tool !== 'ruler';
  const inset = useMemo(
    () => (narrow ? phoneInset(panelOpen, cardShown) : deskInset(panelOpen, cardShown, tool !== null)),
    [narrow, panelOpen, cardShown, tool],
  );
  const { problem } = useSelector(selectConnection);
  const formats = useFormats();
  const textOf = (metres: number) => (metres > 0 ? formats.distance(metres) : '');
  const controls = useRef<MapControls | null>(null);
  const [askedFor] = useState(selected);
  const [ready, setReady] = useState(false);
  const onReady = useCallback((given: MapControls) => {
    controls.current = given;
    setReady(true);
  }, []);

  const [followed, follow] = useState<string | null>(null);
  const following = selected !== null && followed === selected;
  const toggleFollow = (deviceId: string) => {
    follow(following && deviceId === selected ? null : deviceId);
    if (deviceId !== selected) select(deviceId);
    if (narrow) setPanelOpen(false);
  };

  useEffect(() => {
    const wanted = readArea(area);
    if (ready && wanted) controls.current?.showArea(wanted);
  }, [ready, area]);
  const goTo = useDestination(selected, controls, ready);
  const chooseFromList = (deviceId: string) => {
    select(deviceId);
    goTo(deviceId);
    if (!narrow) return;
    // There is room for one of them.
    setPanelOpen(false);
    toolState.take(null);
  };

  const onEscape = ({ target }: KeyboardEvent) => {
    // A menu or a drawer above the map closes by itself.
    if (target instanceof Element && target.closest('[role=dialog], [role=menu]')) return;
    if (tool) toolState.take(null);
    else select(null);
  };
  useHotkeys([['Escape', onEscape]]);

  const card = mayWatch && cardShown && (
    <VehicleCard
      deviceId={selected}
      track={track}
      following={following}
      onFollow={() => toggleFollow(selected)}
      onClose={() => select(null)}
    />
  );
  return (
    <div className={classes.screen} data-fullscreen={fullscreen || undefined}>
      <h1 className="visually-hidden">{t('title')}</h1>
      <FleetMap
        label={t('map.label')}
        scheme={scheme}
        tiles={settings.base.source}
        language={languageOf(i18n.language)}
        schematicAttribution={t('map.schematic')}
        states={states}
        search={search}
        layers={settings.layers}
        faded={problem === 'silent'}
        selected={selected}
        onSelect={select}
        onPlace={tool && toolState.add}
        places={places}
        placeTexts={tool === 'ruler' ? metresAlong(places).map(textOf) : []}
        onTilesFailed={setTilesFailed}
        following={following}
        onFollowEnd={() => follow(null)}
        callout={narrow ? null : card}
        track={track.points}
        inset={inset}
        fitAtStart={askedFor === null && area === null}
        onDragged={() => area !== null && set({ area: null })}
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
        {...settings}
        tool={tool}
        onTool={toolState.take}
        fullscreen={fullscreen}
        onFullscreen={toggleFullscreen}
      >
        <MapViews
          address={mapAddress}
          areaNow={() => controls.current && writeArea(controls.current.area())}
          onShow={set}
        />
      </MapTools>
      {tool && <ToolPanel state={toolState} centre={() => controls.current?.centre()} onSelect={chooseFromList} />}
      <div role="status" className={classes.notice}>
        {tilesFailed && t('layers.failed')}
      </div>
      <SelectionAnnouncer deviceId={selected} />
      {drawersIn(address).length > 0 && <OverDrawers />}
    </div>
  );
}

/** What panels and the selected vehicle's card cover of a phone. */
function phoneInset(panelOpen: boolean, withCard: boolean): MapInset {
  const bottom = panelOpen
    ? window.innerHeight * SHEET_OPEN
    : SHEET_PEEK + (withCard ? window.innerHeight * DOCKED_CARD : 0);
  return { top: 0, right: 0, bottom, left: 0 };
}

/** What they cover of a larger screen. */
function deskInset(panelOpen: boolean, withCard: boolean, withTool: boolean): MapInset {
  return {
    top: withCard ? CALLOUT_HEIGHT : 0,
    right: (withTool ? TOOL_PANEL : 0) + (withCard ? CALLOUT_HALF : 0),
    bottom: 0,
    left: panelOpen ? PANEL_WIDTH : 0,
  };
}
