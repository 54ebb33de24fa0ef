import { describe, expect, it } from 'vitest';
import { defineResource, type Values } from './defineResource';
import { choice, money, number, tags, text } from './fields';
import { schemaOf, type Wrong } from './schema';
import { inputOf, valuesOf } from './values';

const things = defineResource<object>({
  key: 'tenants',
  sort: 'name',
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

  it('of a number that is deleted is that it is taken away, where it may be', () => {
    const limits = defineResource<object>({
      key: 'tenants',
      sort: 'name',
      fields: {
        own: number({ optional: true, clearable: true, form: {} }),
        due: number({ optional: true, form: {} }),
      },
    });
    const base = { own: 5, due: 7 };
    const values = valuesOf(limits, base);
    expect(inputOf(limits, { ...values, own: '', due: '' }, base)).toEqual({ own: null });
    expect(inputOf(limits, { ...values, own: 6 }, base)).toEqual({ own: 6 });
    expect(valuesOf(limits, {})).toEqual({ own: '', due: '' });
    expect(inputOf(limits, { own: '', due: '' }, {})).toEqual({});
    expect(inputOf(limits, { own: '', due: '' }, undefined)).toEqual({});
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
