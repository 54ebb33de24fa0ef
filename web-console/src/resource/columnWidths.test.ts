import { describe, expect, it } from 'vitest';
import type { Resource } from './defineResource';
import type { Field } from './fields';

/** What a window of 1440 pixels has left beside the sidebar. */
const ROOM = 1100;
const CHECKBOX = 44;
const COLUMN = 150;

const definitions = Object.values(
  import.meta.glob<Resource>('../features/*/*.resource.tsx', { eager: true, import: 'default' }),
);

function widthOf({ fields, bulk }: Resource, part: string | undefined): number {
  const widths = (Object.values(fields) as Field[]).map(({ column = {} }) => {
    if (column === false || column.optional || (part && column.of?.includes(part) === false)) return 0;
    return column.width ?? COLUMN;
  });
  return widths.reduce((sum, width) => sum + width, bulk ? CHECKBOX : 0);
}

describe('the usual columns of a list', () => {
  const lists = definitions.flatMap((resource) =>
    (resource.split?.values ?? [undefined]).map((part) => [resource.key, part, widthOf(resource, part)] as const),
  );

  it.each(lists)('fit beside the sidebar: %s %s', (_key, _part, width) => {
    expect(width).toBeLessThanOrEqual(ROOM);
  });
});
