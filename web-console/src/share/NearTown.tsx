import { useTranslation } from 'react-i18next';
import { nearestTown, type Town } from '@/components/address/towns';
import { formatsFor } from '@/i18n/format';
import towns from '@/map/basemap/places.json';

/** Nearer to the middle of a town, one is in it. */
const NEAR_M = 5_000;

/** Which town is the nearest, and how far away: visitors are told no addresses. */
export function NearTown({ lat, lng }: { lat: number; lng: number }) {
  const { t, i18n } = useTranslation('share');
  const town = nearestTown([lat, lng], towns as Town[]);
  if (!town) return null;
  if (town.metres < NEAR_M) return t('near', { place: town.name });
  const distance = formatsFor(i18n.language).distance(Math.round(town.metres / 1_000) * 1_000);
  return t('away', { distance, place: town.name });
}
