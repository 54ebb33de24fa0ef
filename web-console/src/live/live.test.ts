import { describe, expect, it, vi } from 'vitest';
import { LiveSession, type LivePort } from './live';
import type { LiveDevice } from './liveDevice';
import type { LiveMessage, LiveReport } from './protocol';
import { VEHICLE_STATES } from './vehicleState';

const device = (id: string): LiveDevice => ({
  id,
  imei: '490154203237518',
  name: `Truk ${id}`,
  vehicleCode: '',
  driver: '',
  iconType: 'truck',
  inactive: false,
  state: 'no_data',
  position: null,
});

const counts = (moving: number) =>
  ({ ...Object.fromEntries(VEHICLE_STATES.map((state) => [state, 0])), moving }) as ReturnType<LiveSession['counts']>;

function setUp() {
  const sent: LiveMessage[] = [];
  const port: LivePort = {
    postMessage: (message) => sent.push(message),
    onmessage: null,
    onerror: null,
    terminate: vi.fn<() => void>(),
  };
  const live = new LiveSession(() => port);
  const say = (report: LiveReport) => port.onmessage?.({ data: report } as MessageEvent<LiveReport>);
  live.ask({
    search: '',
    states: null,
    groups: null,
    sort: 'name',
    turned: null,
    locales: ['id'],
    asked: 0,
    first: 0,
    count: 2,
  });
  return { live, port, sent, say };
}

const page = (ids: string[], devices: LiveDevice[]): LiveReport => ({
  type: 'list',
  list: { total: 2, fleetSize: 2, complete: true, first: 0, ids, devices },
});

describe('the live session', () => {
  it('keeps the rows of a list that were told before', () => {
    const { live, say } = setUp();
    say(page(['a', 'b'], [device('a'), device('b')]));
    const [, before] = live.list().devices;
    say(page(['a', 'b'], [{ ...device('a'), name: 'Truk Baru' }]));
    expect(live.list().devices.map(({ name }) => name)).toEqual(['Truk Baru', 'Truk b']);
    expect(live.list().devices[1]).toBe(before);
  });

  it('tells those who watch a device, until they stop', () => {
    const { live, say } = setUp();
    const changed = vi.fn();
    const stop = live.watch('a', changed);
    say({ type: 'devices', devices: [['a', device('a')]] });
    expect(live.device('a')?.name).toBe('Truk a');
    stop();
    say({ type: 'devices', devices: [['a', device('a')]] });
    expect(changed).toHaveBeenCalledOnce();
  });

  it('knows of a device what the list shows, before the worker has answered', () => {
    const { live, say } = setUp();
    say(page(['a'], [device('a')]));
    live.watch('a', () => undefined);
    expect(live.device('a')?.name).toBe('Truk a');
    say({ type: 'devices', devices: [['a', null]] });
    expect(live.device('a')).toBeNull();
  });

  it('does not show what the worker said of the former user before it had forgotten it', () => {
    const { live, sent, say } = setUp();
    live.watch('a', () => undefined);
    live.clear();
    live.clear();
    expect(sent.filter(({ type }) => type === 'clear')).toHaveLength(2);
    const late = () => {
      say(page(['a', 'b'], [device('a'), device('b')]));
      say({ type: 'devices', devices: [['a', device('a')]] });
      say({ type: 'counts', counts: counts(7) });
      say({ type: 'settled' });
    };
    const settled = vi.fn();
    live.onceSettled(settled);
    late();
    say({ type: 'cleared' });
    late();
    expect(live.list().devices).toEqual([]);
    expect(live.device('a')).toBeUndefined();
    expect(live.counts().moving).toBe(0);
    expect(settled).not.toHaveBeenCalled();
    say({ type: 'cleared' });
    late();
    expect(live.list().devices).toHaveLength(2);
    expect(live.counts().moving).toBe(7);
    expect(settled).toHaveBeenCalledOnce();
  });

  it('knows at which places the heads of groups stand', () => {
    const { live, say } = setUp();
    const head = { id: 'g', name: 'Jawa', depth: 0, isOpen: true, total: 1, counts: counts(1) };
    say({
      type: 'list',
      list: {
        total: 9,
        fleetSize: 1,
        complete: true,
        first: 7,
        ids: ['', 'a'],
        heads: [[7, head]],
        devices: [device('a')],
      },
    });
    const list = live.list();
    expect([0, 1].map((place) => [list.heads?.get(7 + place)?.name, list.devices[place]?.id])).toEqual([
      ['Jawa', undefined],
      [undefined, 'a'],
    ]);
  });

  it('tells the ways of the vehicles that are chosen, and again to who asks later', () => {
    const { live, say } = setUp();
    const glide = (id: string): LiveReport => ({
      type: 'glide',
      glide: { id, fromX: 0, fromY: 0, toX: 1, toY: 1, start: 0, duration: 0 },
    });
    live.choose(['a', 'b']);
    for (const id of ['a', 'b', 'c']) say(glide(id));
    live.choose(['b', 'c']);
    const messages: string[] = [];
    live.onGlide(({ id }) => messages.push(id));
    say(glide('a'));
    say(glide('c'));
    expect(messages).toEqual(['b', 'c']);
  });

  it('hands on what else the server says to those who ask for its type', () => {
    const { live, say } = setUp();
    const listener = vi.fn();
    const stop = live.onMessage('notification', listener);
    say({ type: 'message', message: { type: 'notification', payload: 1 } });
    say({ type: 'message', message: { type: 'error' } });
    stop();
    say({ type: 'message', message: { type: 'notification', payload: 2 } });
    expect(listener.mock.calls).toEqual([[{ type: 'notification', payload: 1 }]]);
  });

  it('says that its worker has failed, and begins again with another one that knows what is looked at', () => {
    const { live, port, sent, say } = setUp();
    const onStatus = vi.fn();
    live.start({ userId: null, ticket: () => Promise.resolve('ticket'), onStatus });
    live.watch('a', () => undefined);
    live.choose(['a']);
    say({ type: 'counts', counts: counts(7) });
    port.onerror?.(new ErrorEvent('error'));
    expect(port.terminate).toHaveBeenCalledOnce();
    expect(onStatus).toHaveBeenLastCalledWith({ state: 'error', problem: 'worker_failed' });
    sent.length = 0;
    live.ask(null);
    expect(sent).toEqual([]);
    const before = live.worker();
    live.reconnect();
    expect(live.worker()).not.toBe(before);
    expect(live.counts().moving).toBe(0);
    expect(sent.map(({ type }) => type)).toEqual(['start', 'watch', 'list', 'choose', 'groups']);
    expect(sent[1]).toEqual({ type: 'watch', ids: ['a'] });
    expect(sent[3]).toEqual({ type: 'choose', ids: ['a'] });
  });
});
