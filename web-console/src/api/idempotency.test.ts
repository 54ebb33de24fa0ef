import { beforeEach, describe, expect, it } from 'vitest';
import { keyed, settle } from './idempotency';

const act = (body: unknown) => ({ url: '/api/v1/drivers', method: 'POST', body });
const send = (args: ReturnType<typeof act>) => {
  const sent = keyed(args);
  return typeof sent === 'string'
    ? undefined
    : (sent.headers as Record<string, string> | undefined)?.['idempotency-key'];
};
/** The key of an act whose answer is lost. */
const keyOf = (args: ReturnType<typeof act>) => {
  const key = send(args);
  settle(args, false);
  return key;
};

describe('the key of an act', () => {
  beforeEach(() => {
    settle(act({}), true);
  });

  it('is the same for what is sent again after no answer came', () => {
    const key = keyOf(act({ name: 'Budi' }));
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(keyOf(act({ name: 'Budi' }))).toBe(key);
    expect(keyOf(act({ name: 'Siti' }))).not.toBe(key);
  });

  it('is a new one for the same act after any was done', () => {
    const key = keyOf(act({ name: 'Budi' }));
    settle(act({ name: 'Siti' }), true);
    expect(keyOf(act({ name: 'Budi' }))).not.toBe(key);
  });

  it('stays while the act is on its way, whatever else was done meanwhile', () => {
    const key = send(act({ name: 'Budi' }));
    settle(act({ name: 'Siti' }), true);
    settle(act({ name: 'Budi' }), false);
    expect(keyOf(act({ name: 'Budi' }))).toBe(key);
  });

  it('is a new one after something was changed or removed', () => {
    const key = keyOf(act({ name: 'Budi' }));
    settle({ url: '/api/v1/drivers/1', method: 'DELETE' }, true);
    expect(keyOf(act({ name: 'Budi' }))).not.toBe(key);
  });

  it('outlives what is only tried', () => {
    const file = new ArrayBuffer(1);
    const all = { url: '/api/v1/drivers/import', method: 'POST', params: { mode: 'all' }, body: file };
    const key = keyOf(all as never);
    for (const tried of [
      { ...all, params: { mode: 'dry_run' } },
      { ...all, url: '/api/v1/drivers/import/preview' },
      act({ dry_run: true }),
    ]) {
      expect(keyed(tried)).toBe(tried);
      settle(tried, true);
    }
    expect(keyOf(all as never)).toBe(key);
    expect(keyOf({ ...all, body: new ArrayBuffer(1) } as never)).not.toBe(key);
  });

  it('tells files by what they are', () => {
    const file = (size: number) => new File([new Uint8Array(size)], 'a.csv', { lastModified: 1 });
    const key = keyOf(act(file(1)));
    expect(keyOf(act(file(1)))).toBe(key);
    expect(keyOf(act(file(2)))).not.toBe(key);
  });

  it('is not sent with what changes nothing', () => {
    expect(keyed('/api/v1/drivers')).toBe('/api/v1/drivers');
    const lookup = { url: '/api/v1/addresses', method: 'POST', body: { points: [] } };
    const key = keyOf(act({ name: 'Budi' }));
    expect(keyed(lookup)).toBe(lookup);
    settle(lookup, true);
    expect(keyOf(act({ name: 'Budi' }))).toBe(key);
  });
});
