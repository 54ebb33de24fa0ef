import { describe, expect, it } from 'vitest';
import { unitX, unitY } from '@/lib/mercator';
import { loadRoads, roadsOf } from './roads';
import driven from '../../../../services/demo/src/roads.txt?raw';
import drawn from './roads.txt?raw';

describe('the roads of the demonstration', () => {
  it('are those on which its vehicles drive', () => {
    expect(drawn).toBe(driven);
  });

  it('go through every point that was drawn, and meet at junctions', () => {
    const [street, toll] = roadsOf(
      '# A comment\n\ntoll Utara: A@-6,106 -6.1,106.2 B@-6,106.4\nstreet Kota: B -6.2,106.4',
    );
    expect([street?.of, street?.name, toll?.of, toll?.name]).toEqual(['street', 'Kota', 'toll', 'Utara']);
    const points = Array.from(toll?.path.points ?? []);
    const has = (lat: number, lng: number) =>
      points.some((x, at) => at % 2 === 0 && Math.hypot(x - unitX(lng), (points[at + 1] ?? 0) - unitY(lat)) < 1e-9);
    expect([has(-6, 106), has(-6.1, 106.2), has(-6, 106.4)]).toEqual([true, true, true]);
    expect(Array.from(street?.path.points.slice(0, 2) ?? [])).toEqual([unitX(106.4), unitY(-6)]);
  });

  it('are all read', async () => {
    const roads = await loadRoads();
    const lines = drawn.split('\n').filter((line) => /^(toll|main|street) /.test(line));
    expect(roads).toHaveLength(lines.length);
    expect(roads.every(({ path }) => path.points.length >= 4 && Number.isFinite(path.maxX + path.maxY))).toBe(true);
  });
});
