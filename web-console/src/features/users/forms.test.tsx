import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { ResourceDrawer } from '@/resource/ResourceDrawer';
import { useDrawerParam } from '@/lib/drawerParam';
import { signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import users from './users.resource';
import { createStore } from '@/store';
import { renderRoutes } from '@/testing/render';

setUpTestServer();

const sari = {
  id: 'user-2',
  tenant_id: 'tenant-1',
  name: 'Sari',
  email: 'sari@example.test',
  phone: '',
  is_platform_owner: false,
  is_tenant_admin: false,
  is_active: true,
  is_subscription_active: true,
  status: 'active',
  roles: [],
  locale: 'id',
  has_totp: false,
  row_version: 3,
};

beforeEach(() => server.use(http.get(at('/api/v1/users/:id'), () => HttpResponse.json(sari))));

function Users() {
  const [open, setOpen] = useDrawerParam();
  return open && <ResourceDrawer resource={users} open={open} onClose={() => setOpen(null)} />;
}

function show(path: string) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions: ['user:list', 'user:create', 'user:update'] })));
  return renderRoutes(
    [
      { path: '/users', element: <Users /> },
      { path: '*', element: <p>elsewhere</p> },
    ],
    path,
    store,
  );
}

const drawer = async () => within(await screen.findByRole('dialog', { name: /^(Pengguna baru|Sari)$/ }));

describe('a form in the drawer', () => {
  it('names every wrong field once above, and leads to it', async () => {
    show('/users?open=new');
    const form = await drawer();
    await userEvent.type(form.getByLabelText(/^Kata sandi/), 'kurang');
    await userEvent.click(form.getByRole('button', { name: 'Tambah pengguna' }));
    const summary = within(await form.findByRole('alert'));
    expect(summary.getByText('Periksa isian berikut.')).toBeTruthy();
    expect(summary.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
      'Nama: Nama dan email tidak boleh kosong.',
      'Email: Nama dan email tidak boleh kosong.',
      'Kata sandi: Kata sandi terdiri dari 8 sampai 128 karakter.',
    ]);
    expect(document.activeElement).toBe(form.getByLabelText(/^Nama/));
    await userEvent.click(summary.getByRole('button', { name: /^Kata sandi:/ }));
    expect(document.activeElement).toBe(form.getByLabelText(/^Kata sandi/));
  });

  it('forgets what was wrong as it is put right', async () => {
    show('/users?open=new');
    const form = await drawer();
    await userEvent.type(form.getByLabelText(/^Email/), 'sari@example.test');
    await userEvent.type(form.getByLabelText(/^Kata sandi/), 'panjang sekali');
    await userEvent.click(form.getByRole('button', { name: 'Tambah pengguna' }));
    await form.findByRole('alert');
    await userEvent.type(form.getByLabelText(/^Nama/), 'S');
    await waitFor(() => expect(form.queryByRole('alert')).toBeNull());
  });

  it('says above the fields what the server says of one that is not there', async () => {
    const body = { error: 'invalid', message: 'Data salah.', fields: { name: 'Sudah ada.', quota: 'Kuota habis.' } };
    server.use(http.put(at('/api/v1/users/:id'), () => HttpResponse.json(body, { status: 422 })));
    show('/users?open=user-2');
    const form = await drawer();
    await userEvent.type(await form.findByLabelText(/^Nama/), ' W');
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Simpan' }));
    expect(await form.findByText('Gagal menyimpan data pengguna. Data salah. Kuota habis.')).toBeTruthy();
    expect(form.getByRole('button', { name: 'Nama: Sudah ada.' })).toBeTruthy();
  });
});

describe('leaving a form that holds changes', () => {
  const change = async () => {
    const shown = show('/users?open=user-2');
    await userEvent.type(await (await drawer()).findByLabelText(/^Nama/), ' W');
    return shown;
  };

  it.each([
    ['closing', (router: Router) => router.navigate('/users')],
    ['another screen', (router: Router) => router.navigate('/maps')],
  ])('asks on %s, and stays when told so', async (_way, leave) => {
    const { router } = await change();
    await leave(router);
    await userEvent.click(await screen.findByRole('button', { name: 'Tetap di sini' }));
    expect(router.state.location.search).toBe('?open=user-2');
    expect((await drawer()).getByLabelText<HTMLInputElement>(/^Nama/).value).toBe('Sari W');
    await leave(router);
    await userEvent.click(await screen.findByRole('button', { name: 'Buang' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sari' })).toBeNull());
  });

  it('asks each time that somebody closes the drawer', async () => {
    const { router } = await change();
    const question = () => screen.queryByRole('dialog', { name: 'Buang perubahan?' });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(question()?.contains(document.activeElement)).toBe(true));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(question()).toBeNull());
    expect(router.state.location.search).toBe('?open=user-2');
    await userEvent.click((await drawer()).getByRole('button', { name: 'Batal' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Buang' }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });

  it('asks before the tab is closed', async () => {
    await change();
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true);
  });

  it('does not ask when nothing was changed', async () => {
    const { router } = show('/users?open=user-2');
    await (await drawer()).findByLabelText(/^Nama/);
    await router.navigate('/maps');
    expect(await screen.findByText('elsewhere')).toBeTruthy();
  });

  describe('while it is being saved', () => {
    const question = () => screen.queryByRole('dialog', { name: 'Buang perubahan?' });
    /** Saves, and leaves before the answer has come. */
    const leaveEarly = async (answer: () => HttpResponse<object>) => {
      let open: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => (open = resolve));
      let calls = 0;
      server.use(
        http.put(at('/api/v1/users/:id'), async () => {
          calls += 1;
          await gate;
          return answer();
        }),
      );
      const { router } = await change();
      const save = (await drawer()).getByRole('button', { name: 'Simpan perubahan' });
      await userEvent.click(save);
      await userEvent.click(await screen.findByRole('button', { name: 'Simpan' }));
      await waitFor(() => expect(calls).toBe(1));
      // It can still hold the keyboard, and does nothing.
      expect(save.getAttribute('aria-disabled')).toBe('true');
      expect((save as HTMLButtonElement).disabled).toBe(false);
      await userEvent.click(save);
      await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Ubah Sari?' })).toBeNull());
      await userEvent.keyboard('{Escape}');
      expect(question()).toBeNull();
      expect(router.state.location.search).toBe('?open=user-2');
      open();
      return { router, calls: () => calls };
    };

    it('nobody is asked, and it closes when it is saved', async () => {
      const { router, calls } = await leaveEarly(() => HttpResponse.json({ ...sari, name: 'Sari W' }));
      expect(await screen.findByText('Pengguna berhasil diperbarui.')).toBeTruthy();
      await waitFor(() => expect(router.state.location.search).toBe(''));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(calls()).toBe(1);
    });

    it('asks once it could not be saved, and nothing is lost', async () => {
      const { router } = await leaveEarly(() =>
        HttpResponse.json({ error: 'unavailable', message: 'Sibuk.' }, { status: 503 }),
      );
      await userEvent.click(await screen.findByRole('button', { name: 'Tetap di sini' }));
      const form = await drawer();
      expect(await form.findByText(/^Gagal menyimpan data pengguna\./)).toBeTruthy();
      expect(form.getByLabelText<HTMLInputElement>(/^Nama/).value).toBe('Sari W');
      expect(router.state.location.search).toBe('?open=user-2');
    });
  });

  it('does not ask after saving', async () => {
    server.use(http.put(at('/api/v1/users/:id'), () => HttpResponse.json({ ...sari, name: 'Sari W' })));
    const { router } = await change();
    await userEvent.click((await drawer()).getByRole('button', { name: 'Simpan perubahan' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Simpan' }));
    expect(await screen.findByText('Pengguna berhasil diperbarui.')).toBeTruthy();
    await waitFor(() => expect(router.state.location.search).toBe(''));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

type Router = ReturnType<typeof show>['router'];
