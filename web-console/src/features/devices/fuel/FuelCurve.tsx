import type { FuelPoint } from './fuelTable';
import classes from './Fuel.module.css';

const WIDTH = 320;
const HEIGHT = 120;
/** Around the curve, so that its points are whole. */
const EDGE = 6;

/** A calibration table as a curve: what the sensor says to the right, litres upwards. The table says the same. */
export function FuelCurve({ points, label }: { points: readonly FuelPoint[]; label: string }) {
  const raws = points.map(({ raw }) => raw);
  const [least, most] = [Math.min(...raws), Math.max(...raws)];
  const full = Math.max(1, ...points.map(({ litres }) => litres));
  const places = points.map(({ raw, litres }) => ({
    x: EDGE + ((raw - least) / (most - least)) * (WIDTH - 2 * EDGE),
    y: HEIGHT - EDGE - (litres / full) * (HEIGHT - 2 * EDGE),
  }));
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} className={classes.curve}>
      <polyline points={places.map(({ x, y }) => `${x},${y}`).join(' ')} className={classes.line} />
      {places.map(({ x, y }, place) => (
        <circle key={place} cx={x} cy={y} r={3} className={classes.point} />
      ))}
    </svg>
  );
}
