import { useEffect } from 'react';
import { useMap } from 'react-leaflet';
import { useBaseMap, type BaseMap } from './base/useBaseMap';

/** What lies below the vehicles, and who hears of it. */
interface BaseLayerProps extends BaseMap {
  /** Whether the tiles cannot be had. */
  onFailed?: (failed: boolean) => void;
}

/** The base map of the map around it. */
export function BaseLayer({ onFailed, ...base }: BaseLayerProps) {
  const failed = useBaseMap(useMap(), base);
  useEffect(() => onFailed?.(failed), [onFailed, failed]);
  return null;
}
