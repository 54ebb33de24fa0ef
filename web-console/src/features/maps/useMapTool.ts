import { useState } from 'react';
import type { LatLng } from '@/map/FleetMap';

/** What a click on the map is for besides selecting vehicles. */
export type MapTool = 'ruler' | 'nearest';

/** The tool in hand, and the places that were shown to it. */
export interface MapToolState {
  tool: MapTool | null;
  /** In the order in which they were shown: the ruler's way, or the one place whose neighbours are asked for. */
  places: LatLng[];
  /** Takes a tool, or lays it down when it is in hand or null. */
  take: (tool: MapTool | null) => void;
  /** Shows a place to it. */
  add: (place: LatLng) => void;
  /** Takes back the last place. */
  undo: () => void;
  clear: () => void;
}

/** One tool is in hand at a time, and begins without places. */
export function useMapTool(): MapToolState {
  const [tool, setTool] = useState<MapTool | null>(null);
  const [places, setPlaces] = useState<LatLng[]>([]);
  return {
    tool,
    places,
    take: (next) => {
      setTool(next === tool ? null : next);
      setPlaces([]);
    },
    add: (place) => setPlaces((before) => (tool === 'ruler' ? [...before, place] : [place])),
    undo: () => setPlaces((before) => before.slice(0, -1)),
    clear: () => setPlaces([]),
  };
}
