import { useState } from 'react';
import type { KnownAddress } from '@/api/addressBook';
import { useReverseGeocode } from '@/api/useReverseGeocode';
import { lazyPart } from '@/lib/lazyPart';
import { useSeen } from '@/lib/useSeen';
import classes from './Address.module.css';
import { useAddressPlace } from './useAddressPlace';

/** The list of towns comes with it. */
const NearestTown = lazyPart(async () => (await import('./NearestTown')).NearestTown);

/** A place in degrees. */
export interface PlaceAddressProps {
  lat: number;
  lng: number;
  /** It is where a vehicle is that drives. */
  moving?: boolean;
}

/** What is said of a place in words. It is asked for once it has been on the screen: a list may have hundreds. */
export function PlaceAddress({ lat, lng, moving = false }: PlaceAddressProps) {
  const [ref, seen] = useSeen();
  const place = useAddressPlace(lat, lng, moving);
  const known = useLastKnown(useReverseGeocode(seen ? place : null), moving);
  // Nothing is waited for before it is asked for.
  if (known === undefined) return <span ref={ref} className={classes.unknown} aria-busy={seen || undefined} />;
  return (
    <span ref={ref} title={known ?? undefined}>
      {known ?? <NearestTown lat={lat} lng={lng} />}
    </span>
  );
}

/** Of a vehicle that drives, the street before stays until the next one is known. */
function useLastKnown(known: KnownAddress, moving: boolean): KnownAddress {
  const [last, setLast] = useState(known);
  if (known !== undefined && known !== last) setLast(known);
  return known === undefined && moving ? last : known;
}
