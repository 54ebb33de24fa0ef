import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { at, server } from '@/testing/server';
import { backend, drawer, record, setUpUsers, show } from './testUsers';

setUpUsers();

describe('the users screen', () => {
  it('lists people with roles and standing, and counts them', async () => {
    show();
    const row = within((await screen.findByText('sari@example.test')).closest('tr') as HTMLElement);
    expect(row.getByText('Pemantau')).toBeTruthy();
    expect(row.getByText('Belum pernah')).toBeTruthy();
    const cards = within(screen.getByRole('list', { name: 'Ringkasan pengguna' }));
    await waitFor(() => expect(cards.getAllByRole('listitem').map((card) => card.textContent)).toContain('Diundang1'));
  });

  it('hides the summary, and remembers that', async () => {
    const { unmount } = show();
    await userEvent.click(await screen.findByRole('button', { name: 'Sembunyikan ringkasan' }));
    expect(screen.queryByRole('list', { name: 'Ringkasan pengguna' })).toBeNull();
    unmount();
    show();
    expect(await screen.findByRole('button', { name: 'Tampilkan ringkasan' })).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'Ringkasan pengguna' })).toBeNull();
  });

  it('narrows by a number of the summary and by filters of the address, for list and numbers alike', async () => {
    const queries: string[] = [];
    const recordRequest = ({ request }: { request: Request }) => {
      const { pathname, searchParams } = new URL(request.url);
      searchParams.sort();
      queries.push(`${pathname}?${searchParams}`);
    };
    server.events.on('request:start', recordRequest);
    const { router } = show('/users?is_subscription_active=false&role_id=role-1');
    await userEvent.click(await screen.findByRole('button', { name: /^Nonaktif/ }));
    await waitFor(() =>
      expect(queries).toContain('/api/v1/users/summary?is_subscription_active=false&role_id=role-1&status=inactive'),
    );
    expect(queries).toContain(
      '/api/v1/users?is_subscription_active=false&page=1&page_size=25&role_id=role-1&sort=name&status=inactive',
    );
    expect(new URLSearchParams(router.state.location.search).get('status')).toBe('inactive');
    await userEvent.click(await screen.findByRole('button', { name: /^Nonaktif\d/, pressed: true }));
    await waitFor(() => expect(new URLSearchParams(router.state.location.search).get('status')).toBeNull());
    server.events.removeAllListeners();
  });

  it('offers what somebody may do, and nothing else', async () => {
    show('/users', ['user:list']);
    expect(await screen.findByText('sari@example.test')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Tambah pengguna' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Ekspor' })).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Sari' }));
    const form = await drawer('Sari');
    expect((await form.findByLabelText<HTMLInputElement>(/^Nama/)).readOnly).toBe(true);
    expect(form.queryByRole('button', { name: /Simpan|Hapus|Kirim/ })).toBeNull();
    expect(form.getByText('Peran: Pemantau')).toBeTruthy();
  });
});

describe('several users at once', () => {
  it('are deactivated by the server', async () => {
    const job = { id: 'job-1', service: 'identity', resource: 'users', status: 'queued', total: 2, done: 0, failed: 0 };
    server.use(
      http.post(at('/api/v1/users/bulk'), async ({ request }) => {
        await record(request);
        return HttpResponse.json(job, { status: 202 });
      }),
    );
    show();
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Pilih Sari' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Pilih Admin' }));
    await userEvent.click(screen.getByRole('button', { name: 'Nonaktifkan' }));
    const question = await drawer('Nonaktifkan 2 pengguna?');
    await userEvent.click(question.getByRole('button', { name: 'Nonaktifkan' }));
    await waitFor(() => expect(backend.requests).toEqual(['POST /api/v1/users/bulk']));
    expect(backend.sent['POST /api/v1/users/bulk']).toEqual({
      ids: ['user-2', 'user-1'],
      update: { is_active: false },
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Pilih Sari' }).checked).toBe(false);
  });
});
