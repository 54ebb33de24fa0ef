import { lazyPart } from '@/lib/lazyPart';
import classes from './Dashboard.module.css';
import { Tile } from './Tile';

/** The map's library comes with it. */
const SmallMap = lazyPart(async () => (await import('./SmallMap')).SmallMap);

/** Where the vehicles are now. Its place is kept until the map is there. */
export function MapTile() {
  return (
    <Tile tile="map" more="/maps">
      <div className={classes.map}>
        <SmallMap />
      </div>
    </Tile>
  );
}
