import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import tenants from '@/features/tenants/tenants.resource';
import devices from '@/features/devices/devices.resource';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderRoutes } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { dismissJob, followJob, useFollowedJobs, useJobPolling, type Job } from './jobs';
import { JobTray } from './JobTray';
import { ResourceListPage } from './ResourceListPage';

setUpTestServer();

let job: Job;
let begun: unknown[];

beforeEach(() => {
  sessionStorage.clear();
  dismissJob('job-1');
  begun = [];
  job = {
    id: 'job-1',
    service: 'fleet',
    kind: 'bulk',
    resource: 'device',
    action: 'delete',
    status: 'running',
    total: 3,
    done: 1,
    failed: 0,
    created_by: 'user-1',
    created_at: '2026-11-28T03:00:00Z',
    is_trial: false,
    can_be_undone: false,
  };
  const rows = [1, 2].map((number) => ({
    id: `device-${number}`,
    name: `Truk ${number}`,
    warnings: [],
    row_version: 1,
  }));
  server.use(
    http.get(at('/api/v1/devices'), () => HttpResponse.json({ items: rows, total: 3 })),
    http.get(at('/api/v1/jobs/fleet/job-1'), () => HttpResponse.json(job)),
    http.post(at('/api/v1/devices/bulk'), async ({ request }) => {
      begun.push(await request.json());
      return HttpResponse.json(job, { status: 202 });
    }),
  );
});

/** As the shell shows it. */
function Tray() {
  useJobPolling();
  return useFollowedJobs().length > 0 && <JobTray />;
}

function show() {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer()));
  const routes = [
    {
      path: '/devices',
      element: (
        <>
          <ResourceListPage resource={devices} />
          <Tray />
        </>
      ),
    },
    {
      path: '/elsewhere',
      element: (
        <>
          <ResourceListPage resource={tenants} />
          <Tray />
        </>
      ),
    },
  ];
  return renderRoutes(routes, '/devices', store);
}

const choose = async (name: string) => userEvent.click(await screen.findByRole('checkbox', { name: `Pilih ${name}` }));
const tray = async () => within(await screen.findByRole('region', { name: 'Proses' }));

describe('acts on many rows', () => {
  it('are begun once and go on whatever becomes of the screen, and lead to what failed', async () => {
    const { router } = show();
    await choose('Truk 1');
    await choose('Truk 2');
    await userEvent.click(screen.getByRole('button', { name: 'Nonaktifkan' }));
    const question = within(await screen.findByRole('dialog', { name: 'Nonaktifkan 2 perangkat?' }));
    await userEvent.click(question.getByRole('button', { name: 'Nonaktifkan' }));
    expect(await (await tray()).findByText('1 dari 3')).toBeTruthy();
    expect(begun).toEqual([{ ids: ['device-1', 'device-2'], update: { status: 'inactive' } }]);
    expect(screen.queryByText('2 dipilih')).toBeNull();
    await router.navigate('/elsewhere');
    job = { ...job, status: 'completed', done: 2, failed: 1 };
    expect(await (await tray()).findByText('Selesai: 2, gagal: 1')).toBeTruthy();
    const failures = (await tray()).getByRole('link', { name: 'Lihat yang gagal' });
    expect(failures.getAttribute('href')).toBe('/jobs?service=fleet&open=job-1');
  });

  it('are asked about again only when the last answer has come', async () => {
    let asked = 0;
    server.use(
      http.get(at('/api/v1/jobs/fleet/job-9'), () => {
        asked += 1;
        return new Promise<never>(() => undefined);
      }),
    );
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      show();
      followJob({ service: 'fleet', id: 'job-9', job });
      await waitFor(() => expect(asked).toBe(1));
      await vi.advanceTimersByTimeAsync(10_000);
      expect(asked).toBe(1);
    } finally {
      dismissJob('job-9');
      vi.useRealTimers();
    }
  });

  it('reach everything that matches, after the number was typed', async () => {
    show();
    await screen.findByRole('checkbox', { name: 'Pilih Truk 1' });
    await userEvent.click(screen.getByRole('checkbox', { name: 'Pilih semua di halaman ini' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Pilih semua 3 hasil' }));
    await userEvent.click(screen.getByRole('button', { name: 'Hapus' }));
    const question = within(await screen.findByRole('dialog', { name: 'Hapus 3 perangkat?' }));
    await userEvent.type(question.getByRole('textbox'), '3');
    await userEvent.click(question.getByRole('button', { name: 'Hapus' }));
    await waitFor(() => expect(begun).toEqual([{ filter: { q: '' }, delete: {} }]));
  });

  it('are stopped by hand, and found again after a reload', async () => {
    server.use(
      http.get(at('/api/v1/jobs'), ({ request }) =>
        HttpResponse.json({
          // Admins see those of others, too.
          items:
            new URL(request.url).searchParams.get('service') === 'fleet'
              ? [job, { ...job, id: 'job-2', created_by: 'user-2' }]
              : [],
        }),
      ),
      http.post(at('/api/v1/jobs/fleet/job-1/cancel'), () => {
        job = { ...job, status: 'cancelled' };
        return HttpResponse.json(job);
      }),
    );
    sessionStorage.setItem('jobs.user-1', JSON.stringify([{ service: 'fleet', id: 'job-1', label: 'Hapus' }]));
    const store = createStore();
    store.dispatch(signedIn(loginAnswer({ person: 'user-1' })));
    renderRoutes([{ path: '*', element: <Tray /> }], '/', store);
    await userEvent.click(await (await tray()).findByRole('button', { name: 'Hentikan' }));
    expect(await (await tray()).findByText('Dihentikan setelah 1 dari 3')).toBeTruthy();
    await userEvent.click((await tray()).getByRole('button', { name: 'Tutup' }));
    expect(screen.queryByRole('region', { name: 'Proses' })).toBeNull();
  });
});
