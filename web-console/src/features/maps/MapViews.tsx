import { SavedViews } from '@/components/SavedViews';
import { MAP_SCREEN, mapViewQuery, readMapAddress, type MapView } from './useMapAddress';

interface MapViewsProps {
  address: MapView;
  /** The part of the map that is shown now, as the address keeps it. */
  areaNow: () => string | null;
  onShow: (view: MapView) => void;
}

/** Searches, states, groups, orders and parts of the map that somebody has given a name. */
export function MapViews({ address, areaNow, onShow }: MapViewsProps) {
  return (
    <SavedViews
      overMap
      screen={MAP_SCREEN}
      query={mapViewQuery(address)}
      queryNow={() => mapViewQuery({ ...address, area: areaNow() })}
      onShow={(query) => {
        const { area, grouped, groups, q, sort, states } = readMapAddress(new URLSearchParams(query));
        onShow({ area, grouped, groups, q, sort, states });
      }}
    />
  );
}
