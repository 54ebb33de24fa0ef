import { useEffect, useRef, useState } from 'react';
import type { Place } from '@/lib/greatCircle';

/** A vehicle that drives is asked for once somebody has looked at it for this long. */
const FIRST_DELAY_MS = 2_000;
/** And then this often: it passes a street in seconds. */
const REFRESH_MS = 10_000;

/** The place whose address to ask for: where a vehicle stands, or now and then where it drives; null until then. */
export function useAddressPlace(lat: number, lng: number, moving: boolean): Place | null {
  const [asked, setAsked] = useState<Place | null>(moving ? null : [lat, lng]);
  const present = useRef<Place>([lat, lng]);
  useEffect(() => {
    present.current = [lat, lng];
  }, [lat, lng]);
  useEffect(() => {
    if (!moving) return;
    const take = () => setAsked(present.current);
    const first = setTimeout(take, FIRST_DELAY_MS);
    const again = setInterval(take, REFRESH_MS);
    return () => {
      clearTimeout(first);
      clearInterval(again);
    };
  }, [moving]);
  // What it stood at is where it sets out from.
  if (!moving && (asked?.[0] !== lat || asked[1] !== lng)) setAsked([lat, lng]);
  return asked;
}
