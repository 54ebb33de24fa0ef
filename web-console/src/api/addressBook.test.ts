import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Place } from '@/lib/greatCircle';
import { AddressBook, addressKey, type AddressList } from './addressBook';

type LookUp = ConstructorParameters<typeof AddressBook>[0];

const MONAS: Place = [-6.1754, 106.8272];
const KEY = addressKey(MONAS, 'id');

/** A server that knows an address of every place, unless it is told to say something else. */
function serving() {
  const response = { address: 'Jalan Silang Monas' as string | undefined, pending: false, configured: true };
  const lookUp = vi.fn<LookUp>((points) => {
    const { configured, ...item } = response;
    const data: AddressList = { items: points.map((point) => ({ ...point, ...item })), configured };
    return Promise.resolve({ data });
  });
  return { response, lookUp, book: new AddressBook(lookUp) };
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('the addresses of a page', () => {
  it('are asked for together, each once, up to a hundred at a time', async () => {
    const { book, lookUp } = serving();
    for (let index = 0; index < 101; index++) book.want(addressKey([index / 100, 106], 'id'));
    book.want(addressKey([0.000_04, 106], 'id'));
    book.want(addressKey([0, 106], 'en'));
    expect(lookUp).not.toHaveBeenCalled();
    await pass(50);
    expect(lookUp.mock.calls.map(([points, language]) => [points.length, language])).toEqual([
      [100, 'id'],
      [1, 'id'],
      [1, 'en'],
    ]);
    expect(lookUp.mock.calls[0]?.[0][1]).toEqual({ lat: 0.01, lng: 106 });
    book.want(addressKey([0, 106], 'id'));
    await pass(50);
    expect(lookUp).toHaveBeenCalledTimes(3);
  });

  it('are told to who looks at them', async () => {
    const { book, response } = serving();
    const listener = vi.fn();
    const end = book.subscribe(listener);
    book.want(KEY);
    expect(book.known(KEY)).toBeUndefined();
    await pass(50);
    expect(listener).toHaveBeenCalledOnce();
    expect(book.known(KEY)).toBe('Jalan Silang Monas');
    end();
    response.address = undefined;
    const sea = addressKey([-4, 110], 'id');
    book.want(sea);
    await pass(50);
    expect(listener).toHaveBeenCalledOnce();
    expect(book.known(sea)).toBeNull();
  });

  it('are asked for again while they are pending, for a while', async () => {
    const { book, lookUp, response } = serving();
    Object.assign(response, { address: undefined, pending: true });
    book.want(KEY);
    await pass(50);
    expect(book.known(KEY)).toBeNull();
    await pass(60_000);
    expect(lookUp).toHaveBeenCalledTimes(6);
    // Somebody comes back to it.
    book.want(KEY);
    await pass(50);
    expect(lookUp).toHaveBeenCalledTimes(7);
    Object.assign(response, { address: 'Jalan Silang Monas', pending: false });
    await pass(3_050);
    expect(book.known(KEY)).toBe('Jalan Silang Monas');
    await pass(60_000);
    expect(lookUp).toHaveBeenCalledTimes(8);
  });

  it.each([
    [503, 6],
    [0, 6],
    [429, 6],
    [403, 1],
  ])('are tried again only where that may help: after %i', async (status, calls) => {
    const { book, lookUp } = serving();
    lookUp.mockResolvedValue({ error: { status, message: 'x' } });
    book.want(KEY);
    await pass(60_000);
    expect(lookUp).toHaveBeenCalledTimes(calls);
    expect(book.known(KEY)).toBeNull();
  });

  it('are asked for no more where there is nobody who knows them', async () => {
    const { book, lookUp, response } = serving();
    Object.assign(response, { address: undefined, configured: false });
    book.want(KEY);
    await pass(50);
    const other = addressKey([-7, 110], 'id');
    book.want(other);
    await pass(60_000);
    expect(lookUp).toHaveBeenCalledOnce();
    expect([book.known(KEY), book.known(other)]).toEqual([null, null]);
  });

  it('end with who looked at them', async () => {
    const { book, lookUp } = serving();
    book.want(KEY);
    book.end();
    await pass(60_000);
    expect(lookUp).not.toHaveBeenCalled();
  });
});
