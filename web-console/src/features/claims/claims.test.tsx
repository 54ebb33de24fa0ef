import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { HeardImei } from '@/api/generated';
import type { ImeiAssignment, ImeiClaim } from '@/api/types';
import assignmentsResource from './imei-assignments.resource';
import heardResource from './heard-imeis.resource';
import claimsResource from './imei-claims.resource';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer, tokenWith } from '@/testing/tokens';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';

setUpTestServer();

const waiting: ImeiClaim = {
  id: 'claim-1',
  imei: '356938035643809',
  tenant_id: 'tenant-2',
  device_id: 'device-2',
  device_name: 'Truk pinjaman',
  status: 'waiting',
  reason: '',
  claimed_at: '2026-11-01T00:00:00Z',
  row_version: 3,
  check_digit_ok: true,
  heard: {
    gateways: ['gt06', 'depot'],
    more_gateways: true,
    first_heard: '2026-10-01T00:00:00Z',
    last_heard: '2026-10-02T00:00:00Z',
    fixes: 1234,
  },
  heard_known: true,
};
const NAMES: Record<string, string> = { 'tenant-1': 'Angkutan Merdeka', 'tenant-2': 'PT Baru' };

let claims: ImeiClaim[];
let assignments: ImeiAssignment[];
let sent: { path: string; version: string | null; body: unknown }[];

beforeEach(() => {
  claims = [waiting];
  assignments = [{ imei: '356938035643809', tenant_id: 'tenant-1', created_at: '2026-11-01T00:00:00Z' }];
  sent = [];
  const keep = async (request: Request) => {
    const text = await request.text();
    const body = text ? (JSON.parse(text) as unknown) : undefined;
    sent.push({ path: new URL(request.url).pathname, version: request.headers.get('if-match'), body });
  };
  server.use(
    http.get(at('/api/v1/imei-claims'), () => HttpResponse.json({ items: claims, total: claims.length })),
    http.post(at('/api/v1/imei-claims/:id/:act'), async ({ request, params }) => {
      await keep(request);
      claims = [{ ...waiting, status: params.act === 'approve' ? 'approved' : 'rejected', row_version: 4 }];
      return HttpResponse.json(claims[0]);
    }),
    http.get(at('/api/v1/imei-assignments'), () =>
      HttpResponse.json({ items: assignments, total: assignments.length }),
    ),
    http.post(at('/api/v1/imei-assignments'), async ({ request }) => {
      await keep(request);
      const items = [
        { line: '49 015420 323751 8', result: 'assigned' },
        { line: '490154203237519', result: 'wrong_check_digit' },
      ];
      return HttpResponse.json({ items, assigned: 1 });
    }),
    http.delete(at('/api/v1/imei-assignments/:imei'), async ({ request }) => {
      await keep(request);
      assignments = [];
      return new HttpResponse(null, { status: 204 });
    }),
    http.get(at('/api/v1/tenants'), () =>
      HttpResponse.json({ items: Object.entries(NAMES).map(([id, name]) => ({ id, name })), total: 2 }),
    ),
    http.get(at('/api/v1/tenants/:id'), ({ params }) =>
      HttpResponse.json({ id: params.id, name: NAMES[String(params.id)] }),
    ),
  );
});

function ownerStore(permissions?: string[]) {
  const store = createStore();
  const { user } = loginAnswer({ person: 'owner', permissions });
  const token = tokenWith({ sub: 'owner', is_platform_owner: true, exp: Math.floor(Date.now() / 1000) + 600 });
  store.dispatch(
    signedIn({ token, user: { ...user, tenant_id: undefined, is_platform_owner: true, is_tenant_admin: false } }),
  );
  return store;
}

const drawer = async (name: string) => within(await screen.findByRole('dialog', { name }));

describe('the screen of claims', () => {
  it('tells what is known of the tracker', async () => {
    const page = <ResourceListPage resource={claimsResource} />;
    const { router } = renderAt(page, '/imei-claims?open=claim-1', ownerStore());
    const claim = await drawer('356938035643809');
    expect(await claim.findByText('PT Baru')).toBeTruthy();
    expect(claim.getByText('gt06, depot dan lainnya')).toBeTruthy();
    expect(claim.getByText('35693803')).toBeTruthy();
    expect(claim.getByText('1.234')).toBeTruthy();
    // The device opens over the claim.
    server.use(http.get(at('/api/v1/devices/device-2'), () => HttpResponse.json({ message: 'x' }, { status: 404 })));
    await userEvent.click(claim.getByRole('button', { name: 'Truk pinjaman' }));
    await waitFor(() => expect(router.state.location.search).toBe('?open=claim-1&open=devices%3Adevice-2'));
  });

  it('asks before it approves', async () => {
    renderAt(<ResourceListPage resource={claimsResource} />, '/imei-claims?open=claim-1', ownerStore());
    await userEvent.click(await (await drawer('356938035643809')).findByRole('button', { name: 'Setujui' }));
    const question = await drawer('Berikan 356938035643809 kepada PT Baru?');
    expect(sent).toEqual([]);
    await userEvent.click(question.getByRole('button', { name: 'Setujui' }));
    await waitFor(() =>
      expect(sent).toEqual([{ path: '/api/v1/imei-claims/claim-1/approve', version: '3', body: undefined }]),
    );
    expect((await screen.findAllByText('Disetujui')).length).toBeGreaterThan(0);
    expect(screen.queryByRole('button', { name: 'Setujui' })).toBeNull();
  });

  it('rejects with a reason and not without', async () => {
    renderAt(<ResourceListPage resource={claimsResource} />, '/imei-claims?open=claim-1', ownerStore());
    await userEvent.click(await (await drawer('356938035643809')).findByRole('button', { name: 'Tolak' }));
    const question = await drawer('Tolak klaim atas 356938035643809?');
    const confirm = question.getByRole<HTMLButtonElement>('button', { name: 'Tolak' });
    expect(confirm.disabled).toBe(true);
    await userEvent.type(question.getByLabelText(/^Alasan/), ' Kirim fakturnya. ');
    await userEvent.click(confirm);
    const body = { reason: 'Kirim fakturnya.' };
    await waitFor(() => expect(sent).toEqual([{ path: '/api/v1/imei-claims/claim-1/reject', version: '3', body }]));
  });

  it('does not offer what somebody else has', async () => {
    claims = [{ ...waiting, holder: { device_id: 'device-1', device_name: 'Truk 1', tenant_id: 'tenant-1' } }];
    renderAt(<ResourceListPage resource={claimsResource} />, '/imei-claims?open=claim-1', ownerStore());
    const claim = await drawer('356938035643809');
    expect(await claim.findByText(/Perangkat lain memakai IMEI ini/)).toBeTruthy();
    expect(claim.queryByRole('button', { name: 'Setujui' })).toBeNull();
    expect(claim.getByRole('button', { name: 'Tolak' })).toBeTruthy();
  });

  it('is for platform owners', async () => {
    const store = createStore();
    store.dispatch(signedIn(loginAnswer()));
    renderAt(<ResourceListPage resource={claimsResource} />, '/imei-claims', store);
    expect(await screen.findByText('Anda tidak punya akses ke halaman klaim IMEI.')).toBeTruthy();
  });
});

describe('the screen of assigned IMEIs', () => {
  it('sends pasted lines and tells what became of each', async () => {
    renderAt(<ResourceListPage resource={assignmentsResource} />, '/imei-claims/assignments?open=new', ownerStore());
    const form = await drawer('Alokasikan IMEI');
    await userEvent.click(form.getByRole('combobox', { name: /^Tenant/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'PT Baru' }));
    await userEvent.click(form.getByLabelText(/^Daftar IMEI/));
    await userEvent.paste('49 015420 323751 8\n\n490154203237519\n');
    await userEvent.click(form.getByRole('button', { name: 'Alokasikan' }));
    expect(await form.findByText('Digit cek salah')).toBeTruthy();
    const body = {
      tenant_id: 'tenant-2',
      imeis: ['49 015420 323751 8', '490154203237519'],
      accept_wrong_check_digits: false,
    };
    expect(sent).toEqual([{ path: '/api/v1/imei-assignments', version: null, body }]);
  });

  it('asks before it takes one back', async () => {
    renderAt(<ResourceListPage resource={assignmentsResource} />, '/imei-claims/assignments', ownerStore());
    await userEvent.click(await screen.findByRole('button', { name: 'Lepas 356938035643809' }));
    const question = await drawer('Batalkan alokasi 356938035643809?');
    await userEvent.click(question.getByRole('button', { name: 'Lepas' }));
    expect(await screen.findByText('Belum ada IMEI yang dialokasikan')).toBeTruthy();
  });
});

describe('the screen of trackers that nobody has', () => {
  const free: HeardImei = {
    imei: '356938035643809',
    gateways: ['gt06'],
    more_gateways: true,
    first_heard: '2026-11-01T00:00:00Z',
    last_heard: '2026-11-02T00:00:00Z',
    fixes: 1234,
    check_digit_ok: true,
  };
  const claimed: HeardImei = {
    ...free,
    imei: '490154203237519',
    more_gateways: false,
    check_digit_ok: false,
    claimant: { device_id: 'device-2', device_name: 'Truk pinjaman', tenant_id: 'tenant-1' },
  };
  let asked: URLSearchParams[];
  beforeEach(() => {
    asked = [];
    server.use(
      http.get(at('/api/v1/heard-imeis'), ({ request }) => {
        asked.push(new URL(request.url).searchParams);
        return HttpResponse.json({ items: [free, claimed], total: 2 });
      }),
      http.get(at('/api/v1/gateways'), () => HttpResponse.json({ items: [{ id: 'g', name: 'gt06' }], total: 1 })),
      http.get(at('/api/v1/devices/:id'), () => HttpResponse.json({ message: 'x' }, { status: 404 })),
    );
  });
  const show = (path: string, permissions: string[]) => {
    const store = createStore();
    store.dispatch(signedIn(loginAnswer({ permissions })));
    return renderAt(<ResourceListPage resource={heardResource} />, path, store);
  };
  const row = async (imei: string) => within(await screen.findByRole('row', { name: new RegExp(imei) }));

  it('leads to the guided way, or to the device that claims one already', async () => {
    const all = ['heard_imei:list', 'device:create', 'device:list', 'gateway:list'];
    const { router } = show('/imei-claims/heard?gateway=gt06', all);
    const first = await row(free.imei);
    expect(first.getByText('gt06 dan lainnya')).toBeTruthy();
    const link = first.getByRole('link', { name: 'Siapkan perangkat ini' });
    expect(link.getAttribute('href')).toBe(`/devices/setup?imei=${free.imei}`);
    const second = await row(claimed.imei);
    expect(second.getByText('Digit cek salah')).toBeTruthy();
    expect(second.queryByRole('link', { name: 'Siapkan perangkat ini' })).toBeNull();
    await userEvent.click(second.getByRole('button', { name: 'Truk pinjaman' }));
    expect(router.state.location.search).toContain('devices%3Adevice-2');
    expect(asked[0]?.get('gateway')).toBe('gt06');
    // What decides on claims is for platform owners.
    expect(screen.queryByRole('tablist')).toBeNull();
  });

  it('keeps the tenant that the list is narrowed to, and offers nothing to who may add no devices', async () => {
    const page = <ResourceListPage resource={heardResource} />;
    const store = ownerStore(['heard_imei:list', 'device:create']);
    renderAt(page, '/imei-claims/heard?tenant_id=tenant-1', store);
    const link = (await row(free.imei)).getByRole('link', { name: 'Siapkan perangkat ini' });
    expect(link.getAttribute('href')).toBe(`/devices/setup?imei=${free.imei}&tenant_id=tenant-1`);
    expect(screen.getByRole('tab', { name: 'Alat GPS tak dikenal' })).toBeTruthy();
    cleanup();
    show('/imei-claims/heard', ['heard_imei:list']);
    const first = await row(free.imei);
    expect(first.queryByRole('link', { name: 'Siapkan perangkat ini' })).toBeNull();
  });
});
