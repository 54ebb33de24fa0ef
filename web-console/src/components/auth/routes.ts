type Town = readonly [lng: number, lat: number];

/** A way between towns, and what its vehicle does at both of its ends. */
export interface Route {
  towns: readonly [Town, ...Town[]];
  stop: 'parked' | 'idle';
  /** How long it takes there and back. */
  seconds: number;
}

/** In the units of `indonesia.svg`. */
export const PICTURE_SIZE = [940, 360] as const;
const [WEST, NORTH] = [94.5, 6.5];
const PER_DEGREE = 20;

/** Where a town is on the picture: so near to the equator degrees are squares. */
export const onPicture = ([lng, lat]: Town): [x: number, y: number] => [
  Math.round((lng - WEST) * PER_DEGREE),
  Math.round((NORTH - lat) * PER_DEGREE),
];

/** The way of a route to its end and back to where it began. */
export function thereAndBack({ towns }: Route): string {
  const places = towns.map((town) => onPicture(town).join(' '));
  return `M${[...places, ...places.slice(0, -1).reverse()].join('L')}`;
}

/** Where the vehicles of the picture go. */
export const ROUTES: readonly Route[] = [
  // Jakarta, Semarang, Surabaya
  {
    towns: [
      [106.8, -6.4],
      [108.5, -6.9],
      [110.4, -7.1],
      [112.6, -7.4],
    ],
    stop: 'parked',
    seconds: 36,
  },
  // Banyuwangi, Malang, Cilacap
  {
    towns: [
      [114.2, -8.3],
      [112.6, -8.1],
      [109.2, -7.6],
    ],
    stop: 'idle',
    seconds: 44,
  },
  // Banda Aceh, Medan
  {
    towns: [
      [95.6, 5.3],
      [97.2, 4.9],
      [98.6, 3.5],
    ],
    stop: 'parked',
    seconds: 34,
  },
  // Pekanbaru, Jambi, Palembang
  {
    towns: [
      [101.2, 0.6],
      [102.8, -1],
      [104.3, -3],
    ],
    stop: 'idle',
    seconds: 38,
  },
  // Lampung, Bengkulu, Padang
  {
    towns: [
      [105.1, -5.3],
      [103.4, -4],
      [101, -1.6],
      [100.6, -0.9],
    ],
    stop: 'parked',
    seconds: 46,
  },
  // Pontianak, Sintang
  {
    towns: [
      [109.4, 0],
      [111, 0.1],
      [113.4, 0.7],
    ],
    stop: 'parked',
    seconds: 40,
  },
  // Samarinda, Banjarmasin, Palangka Raya
  {
    towns: [
      [117, -0.4],
      [115.6, -1.8],
      [114.8, -3],
      [113.7, -2.3],
    ],
    stop: 'idle',
    seconds: 42,
  },
  // Makassar, Palu
  {
    towns: [
      [119.8, -5],
      [120.2, -3.4],
      [120.1, -1.2],
    ],
    stop: 'parked',
    seconds: 36,
  },
  // Manado, Gorontalo
  {
    towns: [
      [124.7, 1.2],
      [123, 0.7],
      [120.9, 0.9],
    ],
    stop: 'idle',
    seconds: 34,
  },
  // Denpasar, Bima, Maumere
  {
    towns: [
      [115.2, -8.5],
      [118, -8.6],
      [122.1, -8.6],
    ],
    stop: 'parked',
    seconds: 48,
  },
  // Masohi, Bula
  {
    towns: [
      [128.5, -3.1],
      [130.2, -3.3],
    ],
    stop: 'parked',
    seconds: 30,
  },
  // Nabire, Wamena, Jayapura
  {
    towns: [
      [135.6, -3.5],
      [138.6, -4.1],
      [140.4, -2.9],
    ],
    stop: 'idle',
    seconds: 46,
  },
];
