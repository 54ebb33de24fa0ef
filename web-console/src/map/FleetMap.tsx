import 'leaflet/dist/leaflet.css';
import L from 'leaflet';
import { useEffect, useRef, type CSSProperties, type ReactNode } from 'react';
import { MapContainer, Polyline, useMapEvents } from 'react-leaflet';
import type { Language } from '@/i18n/languages';
import { lazyPart } from '@/lib/lazyPart';
import { live } from '@/live/live';
import type { Bounds } from '@/live/protocol';
import type { VehicleState } from '@/live/vehicleState';
import { MAP_COLORS, type Scheme } from '@/theme/tokens';
import { BaseLayer } from './BaseLayer';
import { centreBeside, CLOSE_ZOOM, freeCentre } from './centre';
import { FollowVehicle } from './FollowVehicle';
import classes from './FleetMap.module.css';
import { INDONESIA, keepSize, useScale } from './leafletParts';
import { prefersReducedMotion } from './reducedMotion';
import type { TileSource } from './tileSource';
import { VehicleCallout } from './VehicleCallout';
import { useZoomAround } from './useZoomAround';
import { VehicleLayer } from './VehicleLayer';

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
  flyTo: (place: LatLng) => void;
  /** The middle of what panels leave free. */
  centre: () => LatLng;
  /** What is shown. */
  area: () => MapArea;
  showArea: (area: MapArea) => void;
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
  /** Only what it finds is shown. */
  search: string;
  /** Whether all names are written, and where the selected vehicle has been. */
  layers: { names: boolean; trails: boolean };
  /** Whether vehicles are shown as what they were: there is no news of them. */
  faded: boolean;
  selected: string | null;
  onSelect: (deviceId: string | null) => void;
  /** Whether the map stays with the selected vehicle. */
  following: boolean;
  /** The map was dragged away from it. */
  onFollowEnd: () => void;
  /** Shown above the selected vehicle. */
  callout: ReactNode;
  track: LatLng[] | null;
  /** Takes the place of a click instead of selecting a vehicle. */
  onPlace: ((place: LatLng) => void) | null;
  /** Places that are marked, and what is written beside each. */
  places: LatLng[];
  placeTexts: string[];
  /** The street map does not come; the schematic one lies there instead. */
  onTilesFailed: (failed: boolean) => void;
  inset: MapInset;
  /** Whether to show all vehicles at the start; not when one of them was asked for. */
  fitAtStart: boolean;
  onReady: (controls: MapControls) => void;
  /** Somebody has moved the map by hand. */
  onDragged: () => void;
}

const FIT_MAX_ZOOM = 13;
const TRACK_MAX_ZOOM = 16;
const EDGE = 48;
/** Where more pixels of the lower edge are covered, as by a card on a phone, the scale would lie under the tools. */
const COVERED_MAX = 200;

/** The map of the vehicles. Leaflet stays behind this component; nothing outside of this folder knows it. */
export function FleetMap(props: FleetMapProps) {
  const { scheme, selected, callout, track, inset } = props;
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
    >
      <MapContainer
        bounds={INDONESIA}
        className={classes.map}
        zoomControl={false}
        minZoom={3}
        maxZoom={18}
        worldCopyJump={false}
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
          onFailed={props.onTilesFailed}
        />
        {track && track.length > 1 && (
          <Polyline
            key={scheme}
            positions={track}
            interactive={false}
            pathOptions={{ color: MAP_COLORS[scheme].track, weight: 4, opacity: 0.85 }}
          />
        )}
        {props.places.length > 0 && <PlacesLayer scheme={scheme} places={props.places} texts={props.placeTexts} />}
        <VehicleLayer
          scheme={scheme}
          layers={props.layers}
          states={props.states}
          search={props.search}
          selected={selected}
          onSelect={props.onSelect}
          onPlace={props.onPlace}
        />
        {selected && callout && (
          <VehicleCallout key={selected} deviceId={selected}>
            {callout}
          </VehicleCallout>
        )}
        {selected && props.following && (
          <FollowVehicle key={`follow ${selected}`} deviceId={selected} inset={inset} onEnd={props.onFollowEnd} />
        )}
        <Controls
          inset={inset}
          track={track}
          selected={selected}
          fitAtStart={props.fitAtStart}
          onReady={props.onReady}
          onDragged={props.onDragged}
        />
      </MapContainer>
    </section>
  );
}

type ControlsProps = Pick<FleetMapProps, 'inset' | 'track' | 'selected' | 'fitAtStart' | 'onReady' | 'onDragged'>;

function Controls({ inset, track, selected, fitAtStart, onReady, onDragged }: ControlsProps) {
  const map = useMapEvents({ dragend: onDragged });
  const covered = useRef(inset);
  const fitWanted = useRef(fitAtStart);
  const zoomBy = useZoomAround(selected);
  useEffect(() => {
    covered.current = inset;
  }, [inset]);

  useEffect(() => {
    map.attributionControl.setPrefix(false);
    const fitAll = async (animate: boolean) => {
      const bounds = await live.bounds();
      if (!bounds) return;
      map.fitBounds(latLngBounds(bounds), { ...paddingOf(covered.current), maxZoom: FIT_MAX_ZOOM, animate });
    };
    onReady({
      zoomIn: () => zoomBy(1),
      zoomOut: () => zoomBy(-1),
      fitAll: () => void fitAll(!prefersReducedMotion()),
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
    });
    if (!fitWanted.current) return;
    fitWanted.current = false;
    return live.onceSettled(() => {
      // A screen that still waits for a part of it has no size yet.
      if (map.getSize().x > 0) void fitAll(false);
      else map.once('resize', () => void fitAll(false));
    });
  }, [map, onReady, zoomBy]);

  useEffect(() => {
    if (!track || track.length < 2) return;
    map.fitBounds(L.latLngBounds(track), { ...paddingOf(covered.current), maxZoom: TRACK_MAX_ZOOM });
  }, [map, track]);

  useEffect(() => keepSize(map), [map]);
  useScale(map);

  return null;
}

const paddingOf = ({ top, right, bottom, left }: MapInset): L.FitBoundsOptions => ({
  paddingTopLeft: [left + EDGE, top + EDGE],
  paddingBottomRight: [right + EDGE, bottom + EDGE],
});

const latLngBounds = ({ west, south, east, north }: Bounds) => L.latLngBounds([south, west], [north, east]);
