import { describe, expect, it } from 'vitest';
import { changedListParams, readListParams, viewQuery, writeListParams, type ListDefinition } from './listParams';

const search = (text: string) => new URLSearchParams(text);
const list: ListDefinition = {
  table: 'things',
  sort: 'name',
  filters: [{ name: 'status' }, { name: 'kind' }],
  columns: [{ key: 'name', fixed: true }, { key: 'code' }, { key: 'note', optional: true }],
};
const changed = (text: string, change: Parameters<typeof changedListParams>[1]) => {
  const next = search(text);
  writeListParams(next, changedListParams(readListParams(next, list), change), list);
  return decodeURIComponent(next.toString());
};

describe('list parameters', () => {
  it('are as usual without an address', () => {
    expect(readListParams(search(''), list)).toEqual({
      page: 1,
      pageSize: 25,
      sort: 'name',
      q: '',
      filters: {},
      columns: ['name', 'code'],
    });
  });

  it('ignore what makes no sense', () => {
    const params = readListParams(search('page=-2&page_size=7&other=1&status=&columns=nothing,code'), list);
    expect(params).toMatchObject({ page: 1, pageSize: 25, filters: {}, columns: ['name', 'code'] });
  });

  it('take the remembered columns when the address names none', () => {
    expect(readListParams(search(''), list, ['note', 'name']).columns).toEqual(['name', 'note']);
    expect(readListParams(search('columns=name,code'), list, ['note']).columns).toEqual(['name', 'code']);
  });

  it('leave out of the address what is as usual, and leave alone what is not theirs', () => {
    expect(changed('open=x&page=3&q=a', { q: '', sort: '-code' })).toBe('open=x&sort=-code');
  });

  it('repeat a filter of several values, and forget one that is cleared', () => {
    const filtered = changed('', { filters: { kind: ['a', 'b'], status: ['on'] } });
    expect(filtered).toBe('status=on&kind=a&kind=b');
    expect(changed(filtered, { filters: { kind: ['b'] } })).toBe('kind=b');
  });

  it('go to the first page with what changes the rows', () => {
    expect(changed('page=3', { q: 'a' })).toBe('q=a');
    expect(changed('page=3', { pageSize: 50 })).toBe('page_size=50');
    expect(changed('page=3', { columns: ['name', 'note'] })).toBe('page=3&columns=name,note');
    expect(changed('q=a', { page: 4 })).toBe('q=a&page=4');
  });

  it('name the columns in a saved view even when they are the usual ones', () => {
    const params = readListParams(search('page=4&kind=b'), list);
    expect(decodeURIComponent(viewQuery(params, list))).toBe('columns=name,code&kind=b');
  });
});
