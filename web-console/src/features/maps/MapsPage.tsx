import { useComputedColorScheme } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, useRef, useState, type CSSProperties } from 'react';
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
import { live } from '@/live/live';
import { FleetMap, type LatLng, type MapControls, type MapInset } from '@/map/FleetMap';
import { useIsPhone } from '@/theme/breakpoints';
import { colorVariables } from '@/theme/tokens';
import { choosingBy, type Choosing } from './choosing';
import { readArea, writeArea } from './mapArea';
import { MapTools } from './MapTools';
import classes from './MapsPage.module.css';
import { SelectionAnnouncer } from './SelectionAnnouncer';
import { useChoice } from './useChoice';
import { useDestination } from './useDestination';
import { useDeviceGroups } from './useDeviceGroups';
import { useFollow } from './useFollow';
import { useMapAddress } from './useMapAddress';
import { useMapFit } from './useMapFit';
import { useMapFullscreen } from './useMapFullscreen';
import { useMapPrint } from './useMapPrint';
import { useMapSettings } from './useMapSettings';
import { useMapTool, type MapTool } from './useMapTool';
import { useTracksOfToday } from './useTracksOfToday';
import { VehiclePanel } from './VehiclePanel';
import { useWall } from './wall/useWall';

const MapViews = lazyPart(() => import('./MapViews').then((module) => module.MapViews));
const VehicleCard = lazyPart(() => import('./VehicleCard').then((module) => module.VehicleCard));
const ToolPanel = lazyPart(() => import('./ToolPanel').then((module) => module.ToolPanel));
const StackedDrawers = lazyPart(() => import('@/resource/StackedDrawers').then((module) => module.StackedDrawers));
const ChosenBar = lazyPart(() => import('./ChosenBar').then((module) => module.ChosenBar));
const Wall = lazyPart(() => import('./wall/Wall').then((module) => module.Wall));
const PrintHead = lazyPart(() => import('./PrintSheet').then((module) => module.PrintHead));
const PrintBody = lazyPart(() => import('./PrintSheet').then((module) => module.PrintBody));

/** What the panel covers of the map, in pixels. */
const PANEL_WIDTH = 384;
const SHEET_PEEK = 104;
/** The part of the window that the open sheet takes, as its style says. */
const SHEET_OPEN = 0.62;
/** The part of the window that a card takes on a phone, as its style says. */
const SHEET_CARD = 0.5;
const TOOL_PANEL = 372;
const CHOSEN_BAR = 72;
/** Nothing covers a map on paper, and paper is white. */
const NOTHING: MapInset = { top: 0, right: 0, bottom: 0, left: 0 };
/** Beside the outermost vehicles of a wall stand their names. */
const NAMES: MapInset = { top: 0, right: 96, bottom: 32, left: 96 };
/** Names are read from afar. */
const WALL_LAYERS = { names: true, trails: false, large: true };
const PRINT_COLORS = colorVariables('light') as CSSProperties;

/** Live vehicles on a map that fills the screen. */
export function MapsPage() {
  const { t, i18n } = useTranslation('maps');
  useTitle(t('title'));
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const narrow = useIsPhone();
  const { set, ...mapAddress } = useMapAddress();
  const { states, groups, q: search, area } = mapAddress;
  const { search: address } = useAddress();
  const { chosen, opened, choose, shut, clear } = useChoice();
  const selected = chosen.length === 1 ? (chosen[0] ?? null) : null;
  const several = chosen.length > 1;
  const mayWatch = useCanWatchLive();
  const tracks = useTracksOfToday(chosen);

  const [panelOpen, setPanelOpen] = useState(!narrow);
  const settings = useMapSettings();
  const [tilesFailed, setTilesFailed] = useState(false);
  const [fullscreen, toggleFullscreen] = useMapFullscreen();
  const { wall, ...ofWall } = useWall();
  const toolState = useMapTool();
  const { tool, places } = toolState;
  const cardShown = mayWatch && opened !== null && (!narrow || tool !== 'ruler');
  const controls = useRef<MapControls | null>(null);
  const { printing, print } = useMapPrint(controls);
  const inset = useMemo(() => {
    if (printing) return NOTHING;
    if (wall) return narrow ? NOTHING : NAMES;
    const covering = { panelOpen, cardShown, several, withTool: tool !== null };
    return narrow ? phoneInset(covering) : deskInset(covering);
  }, [printing, wall, narrow, panelOpen, cardShown, several, tool]);
  const { problem } = useSelector(selectConnection);
  const formats = useFormats();
  const textOf = (metres: number) => (metres > 0 ? formats.distance(metres) : '');
  const [nobodyAskedFor] = useState(chosen.length === 0);
  const [ready, setReady] = useState(false);
  const onReady = useCallback((given: MapControls) => {
    controls.current = given;
    setReady(true);
  }, []);

  const follow = useFollow(chosen);
  const followOne = (deviceId: string) => {
    if (follow.following && deviceId === selected) return follow.end();
    follow.follow(deviceId);
    if (deviceId !== selected) choose(deviceId, 'only');
  };
  const toggleTrack = () => {
    // It would go on to the vehicle, away from the way that it came.
    follow.end();
    tracks.toggle();
  };

  useEffect(() => {
    const wanted = readArea(area);
    if (ready && wanted) controls.current?.showArea(wanted);
  }, [ready, area]);
  const goTo = useDestination(selected, controls, ready);
  const knowsGroups = useDeviceGroups().groups !== null;
  const hasGroups = groups !== null && area === null;
  const fitNext = useMapFit({ chosen, hasGroups, knowsGroups, controls, ready });
  const chooseFromList = (deviceId: string, how: Choosing) => {
    choose(deviceId, how);
    if (how !== 'only') return fitNext();
    goTo(deviceId);
    if (!narrow) return;
    // There is room for one of them.
    toolState.take(null);
  };

  const onEscape = ({ target }: KeyboardEvent) => {
    // A menu or a drawer above the map closes by itself.
    if (target instanceof Element && target.closest('[role=dialog], [role=menu]')) return;
    if (wall) ofWall.leave();
    else if (tool) toolState.take(null);
    else clear();
  };
  useHotkeys([['Escape', onEscape]]);
  const showAll = useCallback(() => {
    const wanted = readArea(area);
    if (wanted) controls.current?.showArea(wanted);
    else live.onceSettled(() => controls.current?.fitAll());
  }, [area]);
  const flyTo = useCallback((place: LatLng) => controls.current?.flyTo(place), []);

  const takeTool = (wanted: MapTool) => {
    toolState.take(wanted);
    if (narrow) setPanelOpen(false);
  };

  return (
    <div
      className={classes.screen}
      data-fullscreen={fullscreen || wall || undefined}
      data-wall={wall ? (ofWall.alarms ? 'alarms' : 'plain') : undefined}
      data-printing={printing || undefined}
      style={printing ? PRINT_COLORS : ({ '--map-covered': `${inset.bottom}px` } as CSSProperties)}
    >
      <h1 className="visually-hidden">{t('title')}</h1>
      {printing && <PrintHead />}
      <FleetMap
        label={t('map.label')}
        scheme={printing ? 'light' : scheme}
        tiles={settings.base.source}
        language={languageOf(i18n.language)}
        schematicAttribution={t('map.schematic')}
        states={states}
        groups={groups}
        search={search}
        layers={wall ? WALL_LAYERS : settings.layers}
        faded={problem === 'silent'}
        chosen={chosen}
        selected={selected}
        onSelect={(deviceId, held) => {
          if (deviceId !== null) {
            if (!narrow) setPanelOpen(true);
            choose(deviceId, choosingBy(held) === 'only' ? 'only' : 'toggle');
          }
          // Whoever has chosen several does not lose them by a click beside one.
          else if (!several) clear();
        }}
        onPlace={tool && toolState.add}
        places={places}
        placeTexts={tool === 'ruler' ? metresAlong(places).map(textOf) : []}
        onTilesFailed={setTilesFailed}
        following={follow.following}
        onFollowEnd={follow.end}
        tracks={tracks.lines}
        inset={inset}
        fitAtStart={nobodyAskedFor && area === null}
        onDragged={() => area !== null && set({ area: null })}
        onReady={onReady}
      />
      {printing && <PrintBody chosen={chosen} />}
      {wall && ready && <Wall showAll={showAll} flyTo={flyTo} alarms={ofWall.alarms} onLeave={ofWall.leave} />}
      <VehiclePanel
        open={panelOpen}
        onToggle={() => setPanelOpen(!panelOpen)}
        chosen={chosen}
        followed={follow.following ? selected : null}
        onChoose={chooseFromList}
        onFollow={followOne}
        card={
          cardShown && (
            <VehicleCard
              key={opened}
              deviceId={opened}
              track={{ ...tracks, toggle: toggleTrack }}
              following={follow.following}
              onFollow={() => followOne(opened)}
              onClose={clear}
            />
          )
        }
        onList={shut}
      />
      <MapTools
        controls={controls}
        {...settings}
        tool={tool}
        onTool={takeTool}
        fullscreen={fullscreen}
        onFullscreen={toggleFullscreen}
        onWall={ofWall.enter}
        onPrint={print}
      >
        <MapViews
          address={mapAddress}
          areaNow={() => controls.current && writeArea(controls.current.area())}
          onShow={set}
        />
      </MapTools>
      <div className={classes.above}>
        {mayWatch && several && (
          <ChosenBar
            chosen={chosen}
            following={follow.following}
            onFollow={follow.toggle}
            tracks={{ ...tracks, toggle: toggleTrack }}
            onClear={clear}
          />
        )}
        {tool && (
          <ToolPanel
            state={toolState}
            centre={() => controls.current?.centre()}
            onSelect={(deviceId) => chooseFromList(deviceId, 'only')}
          />
        )}
      </div>
      <div role="status" className={classes.notice}>
        {tilesFailed && t('layers.failed')}
      </div>
      <SelectionAnnouncer deviceId={selected} />
      {drawersIn(address).length > 0 && <StackedDrawers />}
    </div>
  );
}

/** What covers the map. */
interface Covering {
  panelOpen: boolean;
  cardShown: boolean;
  several: boolean;
  withTool: boolean;
}

/** What panels and the selected vehicle's card cover of a phone. */
function phoneInset({ panelOpen, cardShown, several }: Covering): MapInset {
  const covered = cardShown ? SHEET_CARD : panelOpen ? SHEET_OPEN : 0;
  const bottom = Math.max(SHEET_PEEK, window.innerHeight * covered);
  return { top: several ? CHOSEN_BAR : 0, right: 0, bottom, left: 0 };
}

/** What they cover of a larger screen. */
function deskInset({ panelOpen, several, withTool }: Covering): MapInset {
  return {
    top: several ? CHOSEN_BAR : 0,
    right: withTool ? TOOL_PANEL : 0,
    bottom: 0,
    left: panelOpen ? PANEL_WIDTH : 0,
  };
}
