import { lazyPart } from '@/lib/lazyPart';
import classes from './Address.module.css';
import type { PlaceAddressProps } from './PlaceAddress';

/** Loaded when an address is first shown: the map is there before. */
const PlaceAddress = lazyPart(async () => (await import('./PlaceAddress')).PlaceAddress);

interface AddressProps extends PlaceAddressProps {
  /** How many lines it takes, whether they are filled or not. */
  lines?: 1 | 2;
}

/** The address of a place; where none is known, which town is the nearest. Another vehicle needs another key. */
export function Address({ lines = 1, ...place }: AddressProps) {
  return (
    <span className={classes.address} data-lines={lines}>
      <PlaceAddress {...place} />
    </span>
  );
}
