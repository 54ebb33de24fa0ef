import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Maintenance, MaintenanceCosts, MaintenanceLog } from '@/api/generated';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { CalendarPage } from './CalendarPage';
import { CostsPage } from './CostsPage';
import logs from './maintenance-logs.resource';
import resource from './maintenance.resource';

setUpTestServer();

const oil: Maintenance = {
  id: 'maintenance-1',
  tenant_id: 'tenant-1',
  device_id: 'device-1',
  device_name: 'Truk Cakung',
  vehicle_code: 'B 9120 KXT',
  title: 'Ganti oli',
  state: 'due_soon',
  status: 'pending',
  priority: 'Mendesak',
  trigger_mode: 'any',
  due_date: '2026-12-04',
  due_odometer: 45000,
  due_engine_hours: 0,
  expected_on: '2026-11-28',
  is_forecast: true,
  lead_days: 7,
  lead_odometer: 500,
  lead_engine_hours: 20,
  interval_days: 90,
  interval_odometer: 10000,
  interval_engine_hours: 0,
  notification_emails: '',
  detail: '',
  auto_generate_report: false,
  paused: false,
  odometer: 44600,
  last_done_on: '',
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  row_version: 1,
};
const byMileage: Maintenance = { ...oil, id: 'maintenance-2', title: 'Ban', trigger_mode: 'mileage' };
const log: MaintenanceLog = {
  id: 'log-1',
  tenant_id: 'tenant-1',
  maintenance_id: 'maintenance-2',
  device_id: 'device-1',
  device_name: 'Truk Cakung',
  vehicle_code: 'B 9120 KXT',
  title: 'Rem',
  done_on: '2026-11-10',
  cost: 45000000,
  currency: 'IDR',
  vendor: 'Bengkel Jaya',
  odometer: 44000,
  engine_hours: 0,
  parts: '',
  notes: '',
  due_date: '2026-11-09',
  due_odometer: 0,
  due_engine_hours: 0,
  is_late: false,
  files: [],
  created_at: '2026-11-10T00:00:00Z',
  updated_at: '2026-11-10T00:00:00Z',
  row_version: 1,
};

const RIGHTS = ['maintenance:list', 'maintenance:create', 'maintenance_log:list', 'device:list', 'master_data:list'];

function person(permissions = RIGHTS) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return store;
}

let asked: { path: string; query: URLSearchParams }[];
let sent: { path: string; body: unknown }[];

beforeEach(() => {
  asked = [];
  sent = [];
  const answer = (path: string, body: object) =>
    http.get(at(path), ({ request }) => {
      asked.push({ path, query: new URL(request.url).searchParams });
      return HttpResponse.json(body);
    });
  const keep = (path: string, reply: object, status: number) =>
    http.post(at(path), async ({ request }) => {
      sent.push({ path, body: await request.json() });
      return HttpResponse.json(reply, { status });
    });
  server.use(
    answer('/api/v1/maintenance/summary', {}),
    answer('/api/v1/maintenance/words', {
      statuses: ['pending', 'in-progress', 'done', 'Menunggu suku cadang'],
      priorities: ['low', 'medium', 'high', 'Mendesak'],
    }),
    answer('/api/v1/maintenance', { items: [oil, byMileage], total: 2 }),
    answer('/api/v1/maintenance-logs', { items: [log], total: 1 }),
    answer('/api/v1/devices', { items: [{ id: 'device-1', name: 'Truk Cakung' }], total: 1 }),
    answer('/api/v1/master-data', { items: [{ id: 'group-1', name: 'Truk', label: 'Truk' }], total: 1 }),
    keep('/api/v1/maintenance', oil, 201),
    keep('/api/v1/maintenance/plan', { id: 'job-1', service: 'fleet', resource: 'maintenance', status: 'queued' }, 202),
  );
});

describe('the list of maintenance', () => {
  it('tells of what each is, when it is due, and when it is expected', async () => {
    const columns = 'title,device_name,state,due,expected_on,status,priority';
    renderAt(<ResourceListPage resource={resource} />, `/maintenance?columns=${columns}`, person());
    const row = within(await screen.findByRole('row', { name: /Ganti oli/ }));
    expect(row.getByText('B 9120 KXT')).toBeTruthy();
    expect(row.getByText('Segera jatuh tempo')).toBeTruthy();
    expect(row.getByText('4 Des 2026 · 45.000 km')).toBeTruthy();
    const tyres = within(screen.getByRole('row', { name: /Ban/ }));
    expect(tyres.getByText('45.000 km')).toBeTruthy();
    expect(row.getByText('28 Nov 2026 (perkiraan)')).toBeTruthy();
    expect(row.getByText('Menunggu')).toBeTruthy();
    // What somebody has written themselves stays as they wrote it.
    expect(row.getByText('Mendesak')).toBeTruthy();
  });

  it('tells admins of emails that did not go out', async () => {
    server.use(http.get(at('/api/v1/maintenance/summary'), () => HttpResponse.json({ unsent_emails: 12 })));
    renderAt(<ResourceListPage resource={resource} />, '/maintenance', person());
    expect(await screen.findByText(/^12 email tidak terkirim/)).toBeTruthy();
  });

  it('is narrowed by words that people have written', async () => {
    renderAt(<ResourceListPage resource={resource} />, '/maintenance?status=Menunggu+suku+cadang', person());
    expect(await screen.findByText(/Menunggu suku cadang/)).toBeTruthy();
    await waitFor(() => {
      const lists = asked.filter(({ path }) => path === '/api/v1/maintenance');
      expect(lists.at(-1)?.query.getAll('status')).toEqual(['Menunggu suku cadang']);
    });
  });

  it('says what is missing as the specification does', async () => {
    renderAt(<ResourceListPage resource={resource} />, '/maintenance?open=new', person());
    const form = within(await screen.findByRole('dialog', { name: 'Perawatan baru' }));
    await userEvent.click(form.getByRole('button', { name: 'Tambah perawatan' }));
    expect((await form.findAllByText('Judul wajib diisi.')).length).toBeGreaterThan(0);
    expect(form.getAllByText('ID perangkat wajib diisi.').length).toBeGreaterThan(0);
    expect(sent).toEqual([]);
  });

  it('plans the same for a group of vehicles, as a job', async () => {
    renderAt(<ResourceListPage resource={resource} />, '/maintenance?open=new', person());
    const form = within(await screen.findByRole('dialog', { name: 'Perawatan baru' }));
    await userEvent.type(form.getByRole('textbox', { name: /Judul/ }), 'Servis besar');
    await userEvent.click(form.getByRole('combobox', { name: /Untuk/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'Satu grup kendaraan' }));
    await userEvent.click(await form.findByRole('combobox', { name: /Grup/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'Truk' }));
    await userEvent.click(form.getByRole('button', { name: 'Tambah perawatan' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    const [{ path, body } = { path: '', body: {} }] = sent;
    expect(path).toBe('/api/v1/maintenance/plan');
    expect(body).toMatchObject({ group_id: 'group-1', maintenance: { title: 'Servis besar', status: 'pending' } });
  });
});

describe('completing', () => {
  it("is asked in the tenant's currency, and sent in its minor unit", async () => {
    server.use(
      http.get(at('/api/v1/maintenance/:id'), () => HttpResponse.json(oil)),
      http.get(at('/api/v1/tenants/:id'), () => HttpResponse.json({ id: 'tenant-1', name: 'Acme', currency: 'USD' })),
      http.post(at('/api/v1/maintenance-logs'), async ({ request }) => {
        sent.push({ path: 'logs', body: await request.json() });
        return HttpResponse.json(log, { status: 201 });
      }),
    );
    const open = encodeURIComponent('new?maintenance_id=maintenance-1');
    const rights = [...RIGHTS, 'maintenance_log:create'];
    renderAt(<ResourceListPage resource={logs} />, `/maintenance/completed?open=${open}`, person(rights));
    const form = within(await screen.findByRole('dialog', { name: 'Selesaikan perawatan' }));
    expect(await form.findByText('Biaya dalam USD, mata uang perusahaan.')).toBeTruthy();
    await userEvent.type(form.getByRole('textbox', { name: /Bengkel/ }), 'Bengkel Jaya');
    const cost = form.getByRole('textbox', { name: /Biaya/ });
    await userEvent.clear(cost);
    await userEvent.type(cost, '12,5');
    await userEvent.click(form.getByRole('button', { name: 'Selesaikan' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ maintenance_id: 'maintenance-1', vendor: 'Bengkel Jaya', cost: 1250 });
    // What is not said is what the meters show.
    expect(Object.keys(sent[0]?.body as object)).not.toContain('odometer');
  });
});

describe('the calendar', () => {
  it('shows a month with forecasts and what was done, and leads to both', async () => {
    const { router } = renderAt(<CalendarPage />, '/maintenance/calendar?month=2026-11', person());
    const month = within(await screen.findByRole('table', { name: 'November 2026' }));
    expect(await month.findByRole('button', { name: /Ganti oli.*Perkiraan/ })).toBeTruthy();
    expect(await month.findByRole('button', { name: /Rem.*Selesai/ })).toBeTruthy();
    const { query } = asked.find(({ path }) => path === '/api/v1/maintenance') ?? { query: new URLSearchParams() };
    // The weeks that the month touches.
    expect([query.get('expected_from'), query.get('expected_until')]).toEqual(['2026-10-26', '2026-12-06']);
    month.getByRole('button', { name: /Ganti oli/ }).focus();
    await userEvent.keyboard('{Enter}');
    expect(router.state.location.search).toContain('open=maintenance-1');
  });

  it('goes from month to month', async () => {
    const { router } = renderAt(<CalendarPage />, '/maintenance/calendar?month=2026-12', person());
    await userEvent.click(await screen.findByRole('button', { name: 'Bulan berikutnya' }));
    expect(router.state.location.search).toContain('month=2027-01');
  });

  it('is for those who may see maintenance', async () => {
    renderAt(<CalendarPage />, '/maintenance/calendar', person([]));
    expect(await screen.findByText('Anda tidak memiliki akses ke kalender perawatan.')).toBeTruthy();
  });
});

describe('costs', () => {
  it('are told in all and of each vehicle', async () => {
    const costs: MaintenanceCosts = {
      currency: 'IDR',
      cost: 45000000,
      completions: 2,
      on_time: 1,
      distance: 1000,
      cost_per_km: 45000,
      items: [
        {
          device_id: 'device-1',
          device_name: 'Truk Cakung',
          vehicle_code: 'B 9120 KXT',
          cost: 45000000,
          completions: 2,
          on_time: 1,
        },
      ],
    };
    server.use(http.get(at('/api/v1/maintenance-logs/costs'), () => HttpResponse.json(costs)));
    renderAt(<CostsPage />, '/maintenance/costs', person());
    const totals = within(await screen.findByRole('list', { name: 'Biaya perawatan' }));
    expect(totals.getByText('Rp 450')).toBeTruthy();
    expect(totals.getByText('50 %')).toBeTruthy();
    const row = within(screen.getByRole('row', { name: /Truk Cakung/ }));
    expect(row.getByText('Rp 450.000')).toBeTruthy();
    // Nobody knows how far it went.
    expect(row.getAllByText('–')).toHaveLength(2);
  });
});
