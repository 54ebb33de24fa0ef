import 'leaflet/dist/leaflet.css';
import L from 'leaflet';
import { useEffect, useLayoutEffect, useMemo, type RefObject } from 'react';
import { MapContainer, useMap } from 'react-leaflet';
import { useSelector } from 'react-redux';
import type { Language } from '@/i18n/languages';
import { selectIsDemo } from '@/session/sessionSlice';
import type { Scheme } from '@/theme/tokens';
import { BaseLayer } from './BaseLayer';
import { useEventPlaces, type EventPlace } from './eventPlaces';
import type { LatLng } from './FleetMap';
import { INDONESIA, fitArea, keepSize, useScale, useZoomControl } from './leafletParts';
import { PlaybackMarkers, type PlayedVehicle } from './playbackMarkers';
import classes from './PlaybackMap.module.css';
import { prefersReducedMotion } from './reducedMotion';
import type { TileSource } from './tileSource';
import { TrackLayer } from './trackLayer';
import type { DrawnTrack } from './trackLine';

/** What a screen may ask of the map. */
export interface PlaybackMapControls {
  /** Moves the vehicles; called with each frame. One that is alone and moves is kept in sight. */
  place: (vehicles: readonly PlayedVehicle[], moving: boolean) => void;
  /** Shows an area: south-west and north-east. */
  fit: (area: [LatLng, LatLng]) => void;
}

/** A place of the track that is marked. */
export interface TrackMark {
  key: string;
  lat: number;
  lng: number;
  /** One letter or sign. */
  sign: string;
  tone: 'stop' | 'alarm' | 'end' | 'doubt';
  title: string;
  /** Where in time it stands. */
  at: number;
}

interface PlaybackMapProps {
  label: string;
  scheme: Scheme;
  /** Null for the bundled map; undefined while it is not known which it will be. */
  tiles: TileSource | null | undefined;
  /** Of the names on the map. */
  language: Language;
  schematicAttribution: string;
  zoomInLabel: string;
  zoomOutLabel: string;
  tracks: readonly DrawnTrack[];
  marks: readonly TrackMark[];
  /** Where something happened: of those that overlap the last one is seen. */
  events: readonly EventPlace[];
  /** Shown at the start, and whenever it becomes another one. */
  area: [LatLng, LatLng] | null;
  controlsRef: RefObject<PlaybackMapControls | null>;
  onSeek: (instant: number) => void;
}

const EDGE = 40;
const MAX_ZOOM = 16;
/** A vehicle that moves comes no nearer to the edge than this part of the map. */
const EDGE_MARGIN = 0.08;

/** Tracks on a map, and vehicles that move along them. */
export function PlaybackMap(props: PlaybackMapProps) {
  const isDemo = useSelector(selectIsDemo);
  return (
    <section aria-label={props.label} className={classes.frame}>
      <MapContainer
        bounds={INDONESIA}
        className={classes.map}
        zoomControl={false}
        minZoom={3}
        maxZoom={18}
        preferCanvas
      >
        <BaseLayer
          source={props.tiles}
          scheme={props.scheme}
          language={props.language}
          schematicAttribution={props.schematicAttribution}
          roads={isDemo}
        />
        <Contents {...props} />
      </MapContainer>
    </section>
  );
}

function Contents(props: PlaybackMapProps) {
  const { scheme, tracks, marks, events, area, controlsRef, onSeek, zoomInLabel, zoomOutLabel } = props;
  const map = useMap();
  const layer = useMemo(() => new TrackLayer(), []);
  useEffect(() => {
    layer.addTo(map);
    return () => void layer.remove();
  }, [map, layer]);
  // The view first, so that the lines are drawn once, and both before anything else is painted.
  useLayoutEffect(() => {
    if (area) fit(map, area);
  }, [map, area]);
  useLayoutEffect(() => layer.show(tracks), [layer, tracks]);
  useMarks(map, marks, onSeek);
  useEventPlaces(map, events, scheme, onSeek);

  useZoomControl(map, zoomInLabel, zoomOutLabel);
  useScale(map);

  useEffect(() => {
    map.attributionControl.setPrefix(false);
    const markers = new PlaybackMarkers(map);
    const place: PlaybackMapControls['place'] = (vehicles, moving) => {
      markers.show(vehicles);
      const [only] = vehicles;
      if (!moving || !only || vehicles.length > 1) return;
      const there = L.latLng(only.lat, only.lng);
      if (!map.getBounds().pad(-EDGE_MARGIN).contains(there)) map.panTo(there, { animate: false });
    };
    controlsRef.current = { place, fit: (wanted) => fit(map, wanted) };
    return () => {
      controlsRef.current = null;
      markers.remove();
    };
  }, [map, controlsRef]);

  useEffect(() => keepSize(map), [map]);
  return null;
}

function fit(map: L.Map, area: [LatLng, LatLng]): void {
  const animate = !prefersReducedMotion();
  fitArea(map, L.latLngBounds(area), { padding: [EDGE, EDGE], maxZoom: MAX_ZOOM, animate });
}

/** Whoever presses a mark goes to its time. The list beside the map has them for the keyboard. */
function useMarks(map: L.Map, marks: readonly TrackMark[], onSeek: (instant: number) => void): void {
  useEffect(() => {
    const group = L.layerGroup();
    for (const { lat, lng, sign, tone, title, at } of marks) {
      const html = document.createElement('span');
      html.dataset.tone = tone;
      html.textContent = sign;
      const icon = L.divIcon({ html, className: classes.mark ?? '', iconSize: [22, 22] });
      L.marker([lat, lng], { icon, title, keyboard: false })
        .on('click', () => onSeek(at))
        .addTo(group);
    }
    group.addTo(map);
    return () => void group.remove();
  }, [map, marks, onSeek]);
}
