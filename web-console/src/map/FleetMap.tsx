import 'leaflet/dist/leaflet.css';
import L from 'leaflet';
import { useEffect, useRef, type CSSProperties } from 'react';
import { MapContainer, Polyline, useMapEvents } from 'react-leaflet';
import { useSelector } from 'react-redux';
import type { Language } from '@/i18n/languages';
import { lazyPart } from '@/lib/lazyPart';
import { live } from '@/live/live';
import type { Bounds, BoundsOf } from '@/live/protocol';
import type { VehicleState } from '@/live/vehicleState';
import { selectIsDemo } from '@/session/sessionSlice';
import { MAP_COLORS, SERIES_COLORS, type Scheme } from '@/theme/tokens';
import { BaseLayer } from './BaseLayer';
import { centreBeside, CLOSE_ZOOM, freeCentre, paddingOf } from './centre';
import { FollowVehicle } from './FollowVehicle';
import { FollowVehicles } from './FollowVehicles';
import classes from './FleetMap.module.css';
import { INDONESIA, fitArea, keepSize, useScale } from './leafletParts';
import { prefersReducedMotion } from './reducedMotion';
import type { TileSource } from './tileSource';
import { useZoomAround } from './useZoomAround';
import { VehicleLayer, type HeldKeys, type VehicleLayers } from './VehicleLayer';
import { whenDrawn } from './whenDrawn';

const PlacesLayer = lazyPart(() => import('./PlacesLayer').then((module) => module.PlacesLayer));

/** Degrees. */
export type LatLng = [lat: number, lng: number];

/** A part of the map. */
export interface MapArea {
  centre: LatLng;
  zoom: number;
}

/** What a screen may ask of the map. */
export interface MapControls {
  zoomIn: () => void;
  zoomOut: () => void;
  /** Shows all vehicles. */
  fitAll: () => void;
  /** Shows these vehicles. */
  fitVehicles: (ids: string[]) => void;
  flyTo: (place: LatLng) => void;
  /** The middle of what panels leave free. */
  centre: () => LatLng;
  /** What is shown. */
  area: () => MapArea;
  showArea: (area: MapArea) => void;
  /** Resolves once all is drawn that is on its way, after some seconds in any case. */
  whenDrawn: () => Promise<void>;
}

/** The part of the map that panels cover, in pixels; what is shown goes beside it. */
export interface MapInset {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** The fleet on a map. */
export interface FleetMapProps {
  label: string;
  scheme: Scheme;
  /** Null for the bundled map; undefined while it is not known which it will be. */
  tiles: TileSource | null | undefined;
  /** Of the names on the map. */
  language: Language;
  schematicAttribution: string;
  /** The states that are shown; null for all. */
  states: VehicleState[] | null;
  /** Only who is in one of these, or in one that lies in it, is shown; null for all. */
  groups: string[] | null;
  /** Only what it finds is shown. */
  search: string;
  layers: VehicleLayers;
  /** Whether vehicles are shown as what they were: there is no news of them. */
  faded: boolean;
  chosen: string[];
  /** The chosen vehicle, if it is the only one. */
  selected: string | null;
  /** Somebody has pressed a vehicle, or where there is none. */
  onSelect: (deviceId: string | null, held: HeldKeys) => void;
  /** Whether the map stays with the chosen vehicles. */
  following: boolean;
  /** The map was dragged away from them. */
  onFollowEnd: () => void;
  /** The ways of vehicles. */
  tracks: LatLng[][];
  /** Takes the place of a click instead of selecting a vehicle. */
  onPlace: ((place: LatLng) => void) | null;
  /** Places that are marked, and what is written beside each. */
  places: LatLng[];
  placeTexts: string[];
  /** The street map does not come; the schematic one lies there instead. */
  onTilesFailed: (failed: boolean) => void;
  inset: MapInset;
  /** Whether to show the vehicles at the start, without the few that are far away; not when one of them was asked for. */
  fitAtStart: boolean;
  onReady: (controls: MapControls) => void;
  /** Somebody has moved the map by hand. */
  onDragged: () => void;
  /** It lies in a page: the wheel and the finger scroll that, and not the map. */
  inPage?: boolean;
}

const FIT_MAX_ZOOM = 13;
const TRACK_MAX_ZOOM = 16;
/** Where more pixels of the lower edge are covered, as by a card on a phone, the scale would lie under the tools. */
const COVERED_MAX = 200;

/** The map of the vehicles. Leaflet stays behind this component; nothing outside of this folder knows it. */
export function FleetMap(props: FleetMapProps) {
  const isDemo = useSelector(selectIsDemo);
  const { scheme, chosen, selected, tracks, inset } = props;
  // What has to be readable at the map's lower edge stands above what covers it there.
  const covered = { '--map-covered-bottom': `${inset.bottom}px` } as CSSProperties;
  return (
    <section
      aria-label={props.label}
      className={classes.frame}
      style={covered}
      data-faded={props.faded || undefined}
      data-covered={inset.bottom > COVERED_MAX || undefined}
      data-placing={props.onPlace !== null || undefined}
      data-print-fixed
    >
      <MapContainer
        bounds={INDONESIA}
        className={classes.map}
        zoomControl={false}
        minZoom={3}
        maxZoom={18}
        worldCopyJump={false}
        scrollWheelZoom={!props.inPage}
        dragging={!(props.inPage && isTouched())}
        maxBounds={[
          [-85, -220],
          [85, 220],
        ]}
      >
        <BaseLayer
          source={props.tiles}
          scheme={scheme}
          language={props.language}
          schematicAttribution={props.schematicAttribution}
          roads={isDemo}
          onFailed={props.onTilesFailed}
        />
        {tracks.map((track, place) => (
          <Polyline
            key={`${scheme} ${place}`}
            positions={track}
            interactive={false}
            pathOptions={{ color: trackColor(scheme, place, tracks.length), weight: 4, opacity: 0.85 }}
          />
        ))}
        {props.places.length > 0 && <PlacesLayer scheme={scheme} places={props.places} texts={props.placeTexts} />}
        <VehicleLayer
          scheme={scheme}
          layers={props.layers}
          states={props.states}
          groups={props.groups}
          search={props.search}
          chosen={chosen}
          onSelect={props.onSelect}
          onPlace={props.onPlace}
        />
        {selected && props.following && (
          <FollowVehicle key={`follow ${selected}`} deviceId={selected} inset={inset} onEnd={props.onFollowEnd} />
        )}
        {!selected && chosen.length > 0 && props.following && (
          <FollowVehicles key={chosen.join()} deviceIds={chosen} inset={inset} onEnd={props.onFollowEnd} />
        )}
        <Controls
          inset={inset}
          tracks={tracks}
          selected={selected}
          fitAtStart={props.fitAtStart}
          onReady={props.onReady}
          onDragged={props.onDragged}
        />
      </MapContainer>
    </section>
  );
}

const isTouched = () => window.matchMedia('(pointer: coarse)').matches;

type ControlsProps = Pick<FleetMapProps, 'inset' | 'tracks' | 'selected' | 'fitAtStart' | 'onReady' | 'onDragged'>;

function Controls({ inset, tracks, selected, fitAtStart, onReady, onDragged }: ControlsProps) {
  const map = useMapEvents({ dragend: onDragged });
  const covered = useRef(inset);
  const fitWanted = useRef(fitAtStart);
  const zoomBy = useZoomAround(selected);
  useEffect(() => {
    covered.current = inset;
  }, [inset]);

  useEffect(() => {
    map.attributionControl.setPrefix(false);
    const fit = async (of: BoundsOf, animate: boolean) => {
      const bounds = await live.bounds(of);
      if (!bounds) return;
      fitArea(map, latLngBounds(bounds), { ...paddingOf(covered.current), maxZoom: FIT_MAX_ZOOM, animate });
    };
    onReady({
      zoomIn: () => zoomBy(1),
      zoomOut: () => zoomBy(-1),
      fitAll: () => void fit('all', !prefersReducedMotion()),
      fitVehicles: (ids) => void fit(ids, !prefersReducedMotion()),
      flyTo: (place) => {
        const zoom = Math.max(map.getZoom(), CLOSE_ZOOM);
        map.setView(centreBeside(map, place, zoom, covered.current), zoom, { animate: !prefersReducedMotion() });
      },
      centre: () => {
        const { lat, lng } = freeCentre(map, covered.current);
        return [lat, lng];
      },
      area: () => {
        const { lat, lng } = map.getCenter();
        return { centre: [lat, lng], zoom: map.getZoom() };
      },
      showArea: ({ centre, zoom }) => map.setView(centre, zoom, { animate: false }),
      whenDrawn: () => whenDrawn(map),
    });
    if (!fitWanted.current) return;
    fitWanted.current = false;
    return live.onceSettled(() => void fit('most', false));
  }, [map, onReady, zoomBy]);

  useEffect(() => {
    if (tracks.length === 0) return;
    fitArea(map, L.latLngBounds(tracks.flat()), { ...paddingOf(covered.current), maxZoom: TRACK_MAX_ZOOM });
  }, [map, tracks]);

  useEffect(() => keepSize(map), [map]);
  useScale(map);

  return null;
}

/** One way in the colour of ways, of several each in its own. */
function trackColor(scheme: Scheme, place: number, count: number): string {
  const series = SERIES_COLORS[scheme];
  return (count > 1 ? series[place % series.length] : undefined) ?? MAP_COLORS[scheme].track;
}

const latLngBounds = ({ west, south, east, north }: Bounds) => L.latLngBounds([south, west], [north, east]);
