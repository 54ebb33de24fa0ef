import { SavedViews } from '@/components/SavedViews';
import { MAP_SCREEN, mapViewQuery, readMapAddress, type MapAddress } from './useMapAddress';

interface MapViewsProps {
  address: MapAddress;
  /** The part of the map that is shown now, as the address keeps it. */
  areaNow: () => string | null;
  onShow: (view: Omit<MapAddress, 'device_id'>) => void;
}

/** Searches, states, orders and parts of the map that somebody has given a name. */
export function MapViews({ address, areaNow, onShow }: MapViewsProps) {
  return (
    <SavedViews
      iconOnly
      screen={MAP_SCREEN}
      query={mapViewQuery(address)}
      queryNow={() => mapViewQuery({ ...address, area: areaNow() })}
      onShow={(query) => {
        const { q, states, sort, area } = readMapAddress(new URLSearchParams(query));
        onShow({ q, states, sort, area });
      }}
    />
  );
}
