import { describe, expect, it } from 'vitest';
import { readListParams, writeListParams } from './listParams';

const search = (text: string) => new URLSearchParams(text);

describe('list parameters', () => {
  it('are as usual without an address', () => {
    expect(readListParams(search(''), 'name')).toEqual({ page: 1, pageSize: 25, sort: 'name', q: '' });
  });

  it('ignore what makes no sense', () => {
    expect(readListParams(search('page=-2&page_size=7'), 'name')).toMatchObject({ page: 1, pageSize: 25 });
  });

  it('leave out of the address what is as usual, and everything else in it', () => {
    const written = writeListParams(search('open=x&page=3&q=a'), { q: '', sort: '-imei' }, 'name');
    expect(written.toString()).toBe('open=x&sort=-imei');
  });

  it('go to the first page with every change but that of the page', () => {
    expect(writeListParams(search('page=3'), { q: 'a' }, 'name').get('page')).toBeNull();
    expect(writeListParams(search('q=a'), { page: 4 }, 'name').toString()).toBe('q=a&page=4');
  });
});
