import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { compassPoint } from '@/lib/greatCircle';
import towns from '@/map/basemap/places.json';
import { nearestTown, type Town } from './towns';

/** Nearer to the middle of a town, one is in it. */
const NEAR_M = 2_000;

/** Which town is nearest to a place, how far away, and on which side of it the place lies. */
export function NearestTown({ lat, lng }: { lat: number; lng: number }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const town = nearestTown([lat, lng], towns as Town[]);
  if (!town) return null;
  if (town.metres < NEAR_M) return t('address.near', { place: town.name });
  return t('address.away', {
    distance: formats.distance(Math.round(town.metres / 1_000) * 1_000),
    direction: t(`compass.${compassPoint(town.bearing)}`),
    place: town.name,
  });
}
