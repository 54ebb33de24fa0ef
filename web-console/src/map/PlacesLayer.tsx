import { CircleMarker, Polyline, Tooltip } from 'react-leaflet';
import { MAP_COLORS, type Scheme } from '@/theme/tokens';
import type { LatLng } from './FleetMap';
import classes from './FleetMap.module.css';

/** Places that somebody showed on the map. */
export interface PlacesLayerProps {
  scheme: Scheme;
  places: LatLng[];
  /** What is written beside each; empty for nothing. */
  texts: string[];
}

/** Marks places, and a line along them. */
export function PlacesLayer({ scheme, places, texts }: PlacesLayerProps) {
  const { selection, outline } = MAP_COLORS[scheme];
  return (
    <>
      <Polyline
        key={`line ${scheme}`}
        positions={places}
        interactive={false}
        pathOptions={{ color: selection, weight: 3, dashArray: '6 6' }}
      />
      {places.map((place, index) => (
        <CircleMarker
          key={`${scheme} ${index} ${place.join()}`}
          center={place}
          radius={6}
          interactive={false}
          pathOptions={{ color: outline, weight: 2, fillColor: selection, fillOpacity: 1 }}
        >
          {texts[index] && (
            <Tooltip permanent direction="right" offset={[8, 0]} className={classes.hint}>
              {texts[index]}
            </Tooltip>
          )}
        </CircleMarker>
      ))}
    </>
  );
}
