import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry, AuditVerification } from '@/api/generated';
import type { Resource } from '@/resource/defineResource';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { fileColumns } from '@/resource/useResourceView';
import audit from './audit.resource';
import { signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';

setUpTestServer();

const renamed: AuditEntry = {
  id: 'entry-2',
  seq: 2,
  at: '2026-11-21T10:00:00.123Z',
  tenant_id: 'tenant-1',
  actor_id: 'user-7',
  actor_name: 'Budi',
  address: '203.0.113.7',
  act: 'device:update',
  object_kind: 'device',
  object_id: 'device-1',
  object_name: 'Truk 2',
  before: { name: 'Truk 1', status: 'active' },
  after: { name: 'Truk 2', status: null },
  hash: 'ab'.repeat(32),
  erased: false,
};
const failed: AuditEntry = {
  ...renamed,
  id: 'entry-1',
  seq: 1,
  actor_id: undefined,
  actor_name: '',
  act: 'session:login_failed',
  object_kind: 'user',
  object_id: '',
  object_name: '<img src=x onerror=alert(1)>',
  before: undefined,
  after: undefined,
};

let asked: URLSearchParams[];
let entries: AuditEntry[];
let askedForTenants: number;
beforeEach(() => {
  asked = [];
  entries = [renamed, failed];
  askedForTenants = 0;
  server.use(
    http.get(at('/api/v1/audit'), ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ items: entries, total: entries.length });
    }),
    http.get(at('/api/v1/tenants'), () => {
      askedForTenants += 1;
      return HttpResponse.json({ items: [{ id: 'tenant-1', name: 'Angkutan Merdeka' }], total: 1 });
    }),
    http.get(at('/api/v1/users'), () => HttpResponse.json({ items: [], total: 0 })),
    http.get(at('/api/v1/users/user-7'), () => HttpResponse.json({ id: 'user-7', name: 'Budi' })),
  );
});

function store(permissions = ['audit:list', 'audit:export', 'user:list']) {
  const created = createStore();
  created.dispatch(signedIn(loginAnswer({ permissions })));
  return created;
}
const show = (path = '/audit', permissions?: string[]) =>
  renderAt(<ResourceListPage resource={audit} />, path, store(permissions));
const drawer = async () => within(await screen.findByRole('dialog'));

describe('the audit', () => {
  it('is not for those who may not read it', () => {
    show('/audit', ['device:list']);
    expect(screen.getByText('Anda tidak memiliki akses ke jejak audit.')).toBeTruthy();
  });

  it('tells who did what to what, and what was refused', async () => {
    show();
    const row = within(await screen.findByRole('row', { name: /Budi/ }));
    expect(row.getByText('Perangkat diubah')).toBeTruthy();
    expect(row.getByText('Perangkat: Truk 2')).toBeTruthy();
    expect(row.getByText('203.0.113.7')).toBeTruthy();
    const refused = within(screen.getByRole('row', { name: /Gagal masuk/ }));
    expect(refused.getByText('Ditolak')).toBeTruthy();
    expect(refused.getByText('Pengguna: <img src=x onerror=alert(1)>')).toBeTruthy();
    expect(asked[0]?.get('sort')).toBe('-at');
  });

  it('is narrowed by the address: days of the tenant, acts, actor', async () => {
    show('/audit?from=2026-11-21&to=2026-11-21&act=device%3A*&actor_id=user-7&q=truk');
    await screen.findByRole('row', { name: /Budi/ });
    const call = asked.at(-1);
    expect([call?.get('from'), call?.get('to')]).toEqual(['2026-11-20T17:00:00.000Z', '2026-11-21T17:00:00.000Z']);
    expect([call?.get('act'), call?.get('actor_id'), call?.get('q')]).toEqual(['device:*', 'user-7', 'truk']);
  });

  it('asks for what was refused by its acts', async () => {
    show('/audit?outcome=refused');
    await screen.findByRole('row', { name: /Gagal masuk/ });
    expect(asked.at(-1)?.getAll('act')).toEqual([
      'access:denied',
      'audit:refused',
      'session:login_failed',
      'session:reuse',
    ]);
  });

  it('takes a span of days with one press', async () => {
    const { router } = show();
    await screen.findByRole('row', { name: /Budi/ });
    const days = screen.getByRole('button', { name: 'Rentang waktu: Kapan saja' });
    // It stands among the filters.
    expect(days.parentElement?.contains(screen.getByRole('button', { name: 'Tambah filter' }))).toBe(true);
    await userEvent.click(days);
    await userEvent.click(await screen.findByRole('button', { name: '7 hari terakhir' }));
    await waitFor(() => expect(router.state.location.search).toMatch(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/));
    await userEvent.click(await screen.findByRole('button', { name: 'Rentang waktu: 7 hari terakhir' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Kapan saja' }));
    await waitFor(() => expect(router.state.location.search).not.toContain('from='));
  });

  it('offers files only to who may take them', async () => {
    show('/audit', ['audit:list']);
    await screen.findByRole('row', { name: /Gagal masuk/ });
    expect(screen.queryByRole('button', { name: 'Ekspor' })).toBeNull();
  });
});

describe('the calls', () => {
  it('asks for files with what changed and what proves it', () => {
    const columns = fileColumns(audit as unknown as Resource<never>, ['at', 'object', 'outcome']);
    expect(columns).toEqual(['at', 'object_kind', 'object_name', 'before', 'after', 'seq', 'hash']);
  });

  it('finds an entry by when it was', () => {
    expect(audit.findBy?.('some-id@1795255200123')).toEqual({
      from: '2026-11-21T10:00:00.123Z',
      to: '2026-11-21T10:00:00.124Z',
      page_size: 500,
    });
    expect([audit.findBy?.('new'), audit.findBy?.('id@x')]).toEqual([undefined, undefined]);
  });
});

describe('an entry', () => {
  it('shows what was and what is, and leads to the others of the same thing', async () => {
    const { router } = show();
    await userEvent.click(await screen.findByText('Perangkat diubah'));
    const shown = await drawer();
    const rows = within(await shown.findByRole('table'))
      .getAllByRole('row')
      .slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual(['NamaTruk 1Truk 2', 'StatusAktif–']);
    // Whose it is, is said to who sees more than one.
    expect(shown.queryByText('Tenant')).toBeNull();
    expect(askedForTenants).toBe(0);
    expect(shown.getByText(renamed.hash)).toBeTruthy();
    await userEvent.click(shown.getByRole('button', { name: 'Semua tentang objek ini' }));
    await waitFor(() => expect(router.state.location.search).toContain('object_id=device-1'));
    expect(asked.at(-1)?.get('object_kind')).toBe('device');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says to a platform owner whose it is', async () => {
    const owner = createStore();
    const login = loginAnswer({ permissions: ['audit:list'] });
    owner.dispatch(signedIn({ ...login, user: { ...login.user, is_platform_owner: true } }));
    renderAt(<ResourceListPage resource={audit} />, '/audit', owner);
    await userEvent.click(await screen.findByText('Perangkat diubah'));
    expect(await (await drawer()).findByText('Angkutan Merdeka')).toBeTruthy();
  });

  it('says what a role was told of permissions in words', async () => {
    entries = [{ ...renamed, act: 'role:update', before: { 'device:list': 'none' }, after: { 'device:list': 'deny' } }];
    show(`/audit?open=entry-2%40${Date.parse(renamed.at)}`);
    const shown = await drawer();
    expect(within(await shown.findByRole('table')).getByText('Lihat perangkat')).toBeTruthy();
    expect(shown.getByText('Tolak')).toBeTruthy();
  });

  it('has the words of the thing for its fields and values', async () => {
    entries = [
      {
        ...renamed,
        act: 'maintenance:update',
        object_kind: 'maintenance',
        before: { trigger_mode: 'any' },
        after: { trigger_mode: 'mileage' },
      },
    ];
    show(`/audit?open=entry-2%40${Date.parse(renamed.at)}`);
    const row = within(await (await drawer()).findByRole('table'))
      .getAllByRole('row')
      .at(-1);
    await waitFor(() =>
      expect(row?.textContent).toBe('Jatuh tempo menurutMana yang lebih duluJarak tempuh (odometer)'),
    );
  });

  it('has words for what no screen of its own lists', async () => {
    entries = [{ ...renamed, act: 'saved_view:create', object_kind: 'saved_view', object_name: 'Malam' }];
    show();
    const row = within(await screen.findByRole('row', { name: /Budi/ }));
    expect(row.getByText('Tampilan disimpan')).toBeTruthy();
    expect(row.getByText('Tampilan tersimpan: Malam')).toBeTruthy();
  });

  it('is found by its link after the list has moved on', async () => {
    server.use(
      http.get(at('/api/v1/audit'), ({ request }) => {
        const from = new URL(request.url).searchParams.get('from');
        return HttpResponse.json({ items: from === renamed.at ? [renamed] : [failed], total: 1 });
      }),
    );
    show(`/audit?open=entry-2%40${Date.parse(renamed.at)}`);
    expect(await (await drawer()).findByText('203.0.113.7')).toBeTruthy();
  });
});

describe('the check', () => {
  const verified = (found: Partial<AuditVerification>) =>
    http.get(at('/api/v1/audit/verification'), () =>
      HttpResponse.json({ checked: 1234, last_seq: 1234, verified_at: '2026-11-21T10:00:00Z', ...found }),
    );
  const check = async () => {
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Periksa keutuhan' }));
    await userEvent.click((await drawer()).getByRole('button', { name: 'Periksa sekarang' }));
  };

  it('says that a chain is whole, and from where to where', async () => {
    server.use(verified({}));
    await check();
    expect(await screen.findByText('Utuh')).toBeTruthy();
    expect(screen.getByText('1.234 catatan, nomor 1 sampai 1.234, persis seperti saat ditulis.')).toBeTruthy();
  });

  it.each([
    ['changed', /^Isi catatan nomor 17 tidak lagi/],
    ['missing', /^Catatan nomor 17 hilang/],
    ['cut_off', /^Catatan dari nomor 17 sampai akhir hilang/],
  ] as const)('says where it is broken and how: %s', async (defect, words) => {
    server.use(verified({ checked: 17, defect, defect_seq: 17 }));
    await check();
    expect(await screen.findByText('Rusak pada catatan nomor 17')).toBeTruthy();
    expect(screen.getByText(words)).toBeTruthy();
  });

  it('reads a long chain piece by piece, and shows how far it is', async () => {
    const asked: (string | null)[] = [];
    const later: (() => void)[] = [];
    server.use(
      http.get(at('/api/v1/audit/verification'), async ({ request }) => {
        const { searchParams } = new URL(request.url);
        asked.push(`${searchParams.get('after_seq') ?? ''} ${searchParams.get('after_hash') ?? ''}`.trim());
        if (asked.length === 1) {
          return HttpResponse.json({
            checked: 5000,
            last_seq: 8000,
            next_hash: 'ab',
            verified_at: '2026-11-21T10:00:00Z',
          });
        }
        await new Promise<void>((resolve) => later.push(resolve));
        return HttpResponse.json({ checked: 8000, last_seq: 8000, verified_at: '2026-11-21T10:00:01Z' });
      }),
    );
    await check();
    expect(await screen.findByText('5.000 dari 8.000 catatan sudah dibaca')).toBeTruthy();
    await waitFor(() => expect(later).toHaveLength(1));
    later[0]?.();
    expect(await screen.findByText('8.000 catatan, nomor 1 sampai 8.000, persis seperti saat ditulis.')).toBeTruthy();
    expect(asked).toEqual(['', '5000 ab']);
  });

  it('ends when it is stopped, and asks no further', async () => {
    let asked = 0;
    const later: (() => void)[] = [];
    server.use(
      http.get(at('/api/v1/audit/verification'), async () => {
        asked += 1;
        await new Promise<void>((resolve) => later.push(resolve));
        return HttpResponse.json({
          checked: 5000,
          last_seq: 8000,
          next_hash: 'ab',
          verified_at: '2026-11-21T10:00:00Z',
        });
      }),
    );
    await check();
    await waitFor(() => expect(later).toHaveLength(1));
    await userEvent.click(screen.getByRole('button', { name: 'Hentikan' }));
    later[0]?.();
    expect(await screen.findByText('Pemeriksaan dihentikan.')).toBeTruthy();
    // What was under way is answered by now, and whoever starts again begins at the beginning.
    await userEvent.click(screen.getByRole('button', { name: 'Periksa sekarang' }));
    await waitFor(() => expect(later).toHaveLength(2));
    expect(asked).toBe(2);
  });

  it('shows that it is under way, and that it failed', async () => {
    let answer: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (answer = resolve));
    server.use(
      http.get(at('/api/v1/audit/verification'), async () => {
        await waiting;
        return HttpResponse.json({ error: 'unavailable', message: 'Basis data tidak tersedia.' }, { status: 503 });
      }),
    );
    await check();
    expect(await screen.findByText('Membaca rantai dari awal…')).toBeTruthy();
    answer();
    expect(await screen.findByText('Pemeriksaan tidak dapat diselesaikan. Basis data tidak tersedia.')).toBeTruthy();
  });
});
