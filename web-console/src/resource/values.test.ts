import { describe, expect, it } from 'vitest';
import { defineResource, type Values } from './defineResource';
import { choice, date, entity, money, number, tags, text } from './fields';
import { schemaOf, type Wrong } from './schema';
import { inputOf, valuesOf } from './values';

const things = defineResource<object>({
  key: 'tenants',
  fields: {
    title: text({ form: { required: true, maxLength: 5, clean: (typed) => typed.replaceAll('-', '') } }),
    kind: choice({ values: ['big', 'small'], form: { initial: 'big' } }),
    price: money({ currency: 'currency', form: { max: 1000 } }),
    marks: tags({ form: { minItems: 1, maxItems: 2 } }),
    parent: text({ form: { newOnly: true } }),
  },
});

/** Which rule each field breaks. */
function broken(values: Values): Record<string, Wrong> {
  const { issues } = schemaOf(things, true, () => true).safeParse(values).error ?? { issues: [] };
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), JSON.parse(message) as Wrong]));
}
const fine = { title: 'truck', kind: 'big', price: 3, marks: ['a'], parent: '' };

describe('what may be typed', () => {
  it('is what the rules allow, without separators that do not count', () => {
    expect(broken({ ...fine, title: 't-r-u-c-k' })).toEqual({});
    expect(broken({ title: ' ', kind: 'big', price: 1001, marks: [], parent: '' })).toEqual({
      title: { rule: 'required' },
      price: { rule: 'max', limit: 1000 },
      marks: { rule: 'minItems', limit: 1 },
    });
    expect(broken({ ...fine, title: 'trucks', price: '', marks: ['a', 'b', 'c'] })).toEqual({
      title: { rule: 'maxLength', limit: 5 },
      price: { rule: 'number' },
      marks: { rule: 'maxItems', limit: 2 },
    });
  });
});

describe('what is sent', () => {
  const row = { title: 'truck', kind: 'unspecified', price: 300, currency: 'IDR', marks: ['a'], parent: 'p' };

  it('of a change is what was changed: what nobody has said yet stays unsaid', () => {
    const values = valuesOf(things, row);
    expect(values).toMatchObject({ kind: '', price: 3 });
    expect(inputOf(things, values, row)).toEqual({});
    expect(inputOf(things, { ...values, title: ' v-an ', price: 4, parent: 'q' }, row)).toEqual({
      title: 'van',
      price: 400,
    });
    expect(inputOf(things, { ...values, kind: 'small' }, row)).toEqual({ kind: 'small' });
  });

  it('of what is emptied is that it is taken away, whatever kind it is', () => {
    const emptied = defineResource<object>({
      key: 'tenants',
      fields: {
        own: number({ optional: true, form: {} }),
        name: text({ form: {} }),
        day: date({ form: {} }),
        group: entity({ of: 'tenants', form: {} }),
        marks: tags({ form: {} }),
      },
    });
    const base = { own: 5, name: 'truck', day: '2026-01-31', group: 'g', marks: ['a'] };
    const empty = { own: '', name: '', day: '', group: '', marks: [] };
    expect(inputOf(emptied, empty, base)).toEqual({ ...empty, own: null });
    expect(inputOf(emptied, { ...base, own: 6 }, base)).toEqual({ own: 6 });
    expect(valuesOf(emptied, {})).toEqual(empty);
    expect(inputOf(emptied, empty, {})).toEqual({});
    expect(inputOf(emptied, { own: '' }, undefined)).toEqual({});
  });

  it('of a new thing is everything but what nothing was chosen for', () => {
    expect(inputOf(things, { ...valuesOf(things, undefined), title: 'van' }, undefined)).toEqual({
      title: 'van',
      kind: 'big',
      price: 0,
      marks: [],
    });
  });
});
