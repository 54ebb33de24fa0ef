import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountPage } from './AccountPage';
import { signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { RequireSession } from '@/app/RequireSession';
import { createStore } from '@/store';
import { renderRoutes } from '@/testing/render';

setUpTestServer();

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const CODES = ['abcd-efgh-ijkm-npqr', 'stuv-wxyz-2345-6789'];
const SETUP = { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Armada:a?secret=JBSWY3DPEHPK3PXP', qr_svg: '<svg/>' };

let profile: object;
let must: boolean;
let sessions: object[];
beforeEach(() => {
  must = false;
  profile = {
    name: 'Sari',
    email: 'sari@example.test',
    phone: '0812',
    locale: 'jv',
    has_totp: false,
    recovery_codes_left: 0,
    has_password: true,
  };
  sessions = [session('one', true), session('two', false), session('three', false)];
  server.use(
    http.get(at('/api/v1/account'), () => HttpResponse.json(profile)),
    http.get(at('/api/v1/account/sessions'), () => HttpResponse.json({ items: sessions, total: sessions.length })),
    http.get(at('/api/v1/auth/me'), () => HttpResponse.json({ ...loginAnswer().user, must_set_up_totp: must })),
  );
});

const session = (id: string, is_current: boolean) => ({
  id,
  user_agent: id === 'three' ? 'curl/8' : CHROME,
  address: '203.0.113.7',
  created_at: '2026-11-01T00:00:00Z',
  last_used_at: '2026-11-02T00:00:00Z',
  is_current,
});

const routes = [
  {
    element: <RequireSession />,
    children: [
      { path: '/account', element: <AccountPage /> },
      { path: '*', element: <p>elsewhere</p> },
    ],
  },
];

function show(path = '/account') {
  const store = createStore();
  const answer = loginAnswer();
  store.dispatch(signedIn({ ...answer, user: { ...answer.user, must_set_up_totp: must } }));
  return renderRoutes(routes, path, store);
}

const part = async (name: string) => within(await screen.findByRole('region', { name: new RegExp(`^${name}`) }));
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

describe('the profile', () => {
  it('is changed, and menus follow', async () => {
    let sent: unknown;
    server.use(
      http.put(at('/api/v1/account'), async ({ request }) => {
        sent = await request.json();
        profile = { ...profile, name: 'Sari Dewi' };
        return HttpResponse.json(profile);
      }),
      http.get(at('/api/v1/auth/me'), () => HttpResponse.json({ ...loginAnswer().user, name: 'Sari Dewi' })),
    );
    const { store } = show();
    const form = await part('Profil');
    expect(form.getByLabelText<HTMLInputElement>(/^Email/).readOnly).toBe(true);
    await userEvent.type(form.getByLabelText(/^Nama/), ' Dewi');
    await userEvent.click(form.getByRole('button', { name: 'Simpan profil' }));
    expect(await screen.findByText('Profil disimpan.')).toBeTruthy();
    expect(sent).toEqual({ name: 'Sari Dewi', phone: '0812', locale: 'jv' });
    await waitFor(() => expect(store.getState().session.user?.name).toBe('Sari Dewi'));
  });

  it('keeps the keyboard where it was, and asks about later changes again', async () => {
    server.use(
      http.put(at('/api/v1/account'), async ({ request }) => {
        profile = { ...profile, ...((await request.json()) as object) };
        return HttpResponse.json(profile);
      }),
    );
    const { router } = show();
    const form = await part('Profil');
    const save = form.getByRole('button', { name: 'Simpan profil' });
    await userEvent.type(form.getByLabelText(/^Nama/), ' Dewi');
    await userEvent.click(save);
    expect(await screen.findByText('Profil disimpan.')).toBeTruthy();
    expect(document.activeElement).toBe(save);
    await userEvent.type(form.getByLabelText(/^Nama/), ' Lestari');
    await router.navigate('/devices');
    await userEvent.click(await screen.findByRole('button', { name: 'Tetap di sini' }));
    expect(form.getByLabelText<HTMLInputElement>(/^Nama/).value).toBe('Sari Dewi Lestari');
    await userEvent.click(form.getByRole('button', { name: 'Simpan profil' }));
    await waitFor(() => expect(profile).toMatchObject({ name: 'Sari Dewi Lestari' }));
    await router.navigate('/devices');
    expect(await screen.findByText('elsewhere')).toBeTruthy();
  });
});

describe('the password', () => {
  it('is changed with the present one, which may be wrong', async () => {
    let calls = 0;
    server.use(
      http.post(at('/api/v1/account/password'), async ({ request }) => {
        expect(await request.json()).toEqual({ current_password: 'lama sekali', new_password: 'kuda benar baterai' });
        return ++calls === 1
          ? HttpResponse.json(
              { error: 'invalid', message: 'x', fields: { current_password: 'Kata sandi salah.' } },
              { status: 422 },
            )
          : new HttpResponse(null, { status: 204 });
      }),
    );
    show();
    const form = await part('Kata sandi');
    await userEvent.type(form.getByLabelText(/^Kata sandi sekarang/), 'lama sekali');
    await userEvent.type(form.getByLabelText(/^Kata sandi baru/), 'kuda benar baterai');
    await userEvent.click(form.getByRole('button', { name: 'Ganti kata sandi' }));
    expect(await form.findByText('Kata sandi salah.')).toBeTruthy();
    await userEvent.click(form.getByRole('button', { name: 'Ganti kata sandi' }));
    expect(await screen.findByText('Kata sandi diganti. Sesi lain telah berakhir.')).toBeTruthy();
    expect(form.getByLabelText<HTMLInputElement>(/^Kata sandi sekarang/).value).toBe('');
  });
});

describe('who signs in by the provider alone', () => {
  beforeEach(() => {
    profile = { ...profile, has_password: false };
  });

  it('gets a link by mail to choose a password', async () => {
    let asked: unknown;
    server.use(
      http.post(at('/auth/forgot-password'), async ({ request }) => {
        asked = await request.json();
        return new HttpResponse(null, { status: 204 });
      }),
    );
    show();
    const password = await part('Kata sandi');
    expect(password.queryByLabelText(/Kata sandi sekarang/)).toBeNull();
    await userEvent.click(password.getByRole('button', { name: 'Kirim tautan untuk memilih kata sandi' }));
    expect(await screen.findByText(/Tautan dikirim ke sari@example\.test/)).toBeTruthy();
    expect(asked).toEqual({ email: 'sari@example.test' });
  });

  it('sets up a second factor after having signed in a moment ago', async () => {
    let calls = 0;
    server.use(
      http.post(at('/api/v1/account/totp'), () =>
        ++calls === 1
          ? HttpResponse.json({ error: 'reauthentication_required', message: 'Buktikan sekali lagi.' }, { status: 403 })
          : HttpResponse.json(SETUP),
      ),
    );
    show();
    await userEvent.click((await part('Verifikasi dua langkah')).getByRole('button', { name: 'Aktifkan' }));
    const asked = await dialog('Aktifkan verifikasi dua langkah');
    expect(asked.queryByLabelText('Kata sandi sekarang')).toBeNull();
    expect(asked.getByRole('button', { name: 'Masuk sekali lagi' })).toBeTruthy();
    await userEvent.click(asked.getByRole('button', { name: 'Lanjutkan' }));
    expect((await asked.findByRole('alert')).textContent).toBe('Buktikan sekali lagi.');
    await userEvent.click(asked.getByRole('button', { name: 'Lanjutkan' }));
    expect(await asked.findByLabelText('Kode dari aplikasi')).toBeTruthy();
  });

  it('asks an admin where no mail goes out', async () => {
    server.use(http.get(at('/auth/options'), () => HttpResponse.json({ registration: false, mail: false })));
    show();
    const password = await part('Kata sandi');
    expect(await password.findByText(/Minta tautan kata sandi kepada admin Anda/)).toBeTruthy();
    expect(password.queryByRole('button')).toBeNull();
  });
});

describe('sessions', () => {
  it('are named by browser and system, and this one cannot be ended here', async () => {
    show();
    const list = await part('Sesi');
    const items = await list.findAllByRole('listitem');
    expect(items.map((item) => item.textContent)).toEqual([
      expect.stringContaining('Chrome di LinuxSesi ini203.0.113.7'),
      expect.stringContaining('Chrome di Linux'),
      expect.stringContaining('curl/8'),
    ]);
    expect(within(items[0] as HTMLElement).queryByRole('button')).toBeNull();
  });

  it('end one by one, after a question', async () => {
    let ended: unknown;
    server.use(
      http.delete(at('/api/v1/account/sessions/:id'), ({ params }) => {
        ended = params.id;
        sessions = sessions.filter((each) => (each as { id: string }).id !== params.id);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    show();
    const list = await part('Sesi');
    await userEvent.click(await list.findByRole('button', { name: 'Akhiri curl/8' }));
    expect(ended).toBeUndefined();
    await userEvent.click((await dialog('Akhiri sesi curl/8?')).getByRole('button', { name: 'Akhiri' }));
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(2));
    expect(ended).toBe('three');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(list.getByRole('list'));
  });

  it('end after a password when nobody has given it for a while', async () => {
    let fresh = false;
    let proof: unknown;
    server.use(
      http.post(at('/api/v1/account/reauthentication'), async ({ request }) => {
        proof = await request.json();
        fresh = true;
        return new HttpResponse(null, { status: 204 });
      }),
      http.delete(at('/api/v1/account/sessions'), () => {
        if (!fresh)
          return HttpResponse.json({ error: 'reauthentication_required', message: 'Buktikan.' }, { status: 403 });
        sessions = sessions.slice(0, 1);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    profile = { ...profile, has_totp: true, recovery_codes_left: 9 };
    show();
    const list = await part('Sesi');
    await userEvent.click(await list.findByRole('button', { name: 'Akhiri semua sesi lain' }));
    await userEvent.click(
      (await dialog('Akhiri semua sesi lain?')).getByRole('button', { name: 'Akhiri semua sesi lain' }),
    );
    const asked = await dialog('Buktikan bahwa ini Anda');
    await userEvent.type(asked.getByLabelText('Kata sandi sekarang'), 'lama sekali{Enter}');
    expect((await asked.findByRole('alert')).textContent).toBe('Kode verifikasi wajib diisi.');
    await userEvent.type(asked.getByLabelText('Kode verifikasi sekarang'), '123456{Enter}');
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1));
    expect(proof).toEqual({ password: 'lama sekali', code: '123456' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('end all but this one', async () => {
    server.use(
      http.delete(at('/api/v1/account/sessions'), () => {
        sessions = sessions.slice(0, 1);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    show();
    const list = await part('Sesi');
    await userEvent.click(await list.findByRole('button', { name: 'Akhiri semua sesi lain' }));
    await userEvent.click(
      (await dialog('Akhiri semua sesi lain?')).getByRole('button', { name: 'Akhiri semua sesi lain' }),
    );
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1));
    expect(list.queryByRole('button')).toBeNull();
  });
});

/** A server where the second factor is set up with these. */
function serverSetsUp() {
  server.use(
    http.post(at('/api/v1/account/totp'), async ({ request }) =>
      ((await request.json()) as { password: string }).password === 'lama sekali'
        ? HttpResponse.json(SETUP)
        : HttpResponse.json(
            { error: 'invalid', message: 'x', fields: { password: 'Kata sandi salah.' } },
            { status: 422 },
          ),
    ),
    http.post(at('/api/v1/account/totp/confirmation'), async ({ request }) => {
      if (((await request.json()) as { code: string }).code !== '123456') {
        return HttpResponse.json({ error: 'invalid', message: 'x', fields: { code: 'Kode salah.' } }, { status: 422 });
      }
      must = false;
      profile = { ...profile, has_totp: true, recovery_codes_left: 10 };
      return HttpResponse.json({ codes: CODES });
    }),
  );
}

async function setUp() {
  await userEvent.click((await part('Verifikasi dua langkah')).getByRole('button', { name: 'Aktifkan' }));
  const asked = await dialog('Aktifkan verifikasi dua langkah');
  await userEvent.type(asked.getByLabelText('Kata sandi sekarang'), 'lama sekali{Enter}');
  await userEvent.type(await asked.findByLabelText('Kode dari aplikasi'), '123 456{Enter}');
  return dialog('Kode pemulihan');
}

describe('the second factor', () => {
  it('begins with the password, and holds from its first code on', async () => {
    serverSetsUp();
    show();
    await userEvent.click((await part('Verifikasi dua langkah')).getByRole('button', { name: 'Aktifkan' }));
    const asked = await dialog('Aktifkan verifikasi dua langkah');
    await userEvent.type(asked.getByLabelText('Kata sandi sekarang'), 'salah{Enter}');
    expect((await asked.findByRole('alert')).textContent).toBe('Kata sandi salah.');
    await userEvent.clear(asked.getByLabelText('Kata sandi sekarang'));
    await userEvent.type(asked.getByLabelText('Kata sandi sekarang'), 'lama sekali{Enter}');
    const code = await asked.findByLabelText<HTMLInputElement>('Kode dari aplikasi');
    expect(asked.getByRole<HTMLImageElement>('img').src).toBe('data:image/svg+xml,%3Csvg%2F%3E');
    expect(asked.getByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy();
    expect(code.autocomplete).toBe('one-time-code');
    await userEvent.type(code, '000000{Enter}');
    expect((await asked.findByText('Kode salah.')).textContent).toBeTruthy();
    await userEvent.type(asked.getByLabelText('Kode dari aplikasi'), '123456{Enter}');
    const codes = await dialog('Kode pemulihan');
    expect(codes.getAllByRole('listitem').map((item) => item.textContent)).toEqual(CODES);
  });

  it('shows recovery codes until somebody has kept them', async () => {
    serverSetsUp();
    const written: string[] = [];
    const writeText = (text: string) => Promise.resolve(void written.push(text));
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    show();
    const codes = await setUp();
    await userEvent.keyboard('{Escape}');
    await userEvent.click(codes.getByRole('button', { name: 'Salin' }));
    expect(written).toEqual([CODES.join('\n')]);
    await userEvent.click(codes.getByRole('button', { name: 'Cetak' }));
    expect(print).toHaveBeenCalledOnce();
    await userEvent.click(codes.getByRole('button', { name: 'Saya sudah menyimpannya' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByText(/10 kode pemulihan belum dipakai/)).toBeTruthy();
  });

  it('gives the keyboard back to the button that began it', async () => {
    show();
    const begin = (await part('Verifikasi dua langkah')).getByRole('button', { name: 'Aktifkan' });
    await userEvent.click(begin);
    await dialog('Aktifkan verifikasi dua langkah');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(begin);
  });

  it('is turned off with the password and a code', async () => {
    let proof: unknown;
    profile = { ...profile, has_totp: true, recovery_codes_left: 2 };
    server.use(
      http.post(at('/api/v1/account/totp/removal'), async ({ request }) => {
        proof = await request.json();
        profile = { ...profile, has_totp: false };
        return new HttpResponse(null, { status: 204 });
      }),
    );
    show();
    const section = await part('Verifikasi dua langkah');
    expect(section.getByText(/Buatlah yang baru/)).toBeTruthy();
    await userEvent.click(section.getByRole('button', { name: 'Nonaktifkan' }));
    const asked = await dialog('Nonaktifkan verifikasi dua langkah?');
    await userEvent.click(asked.getByRole('button', { name: 'Nonaktifkan' }));
    expect(asked.getByRole('alert').textContent).toBe('Kata sandi wajib diisi.');
    await userEvent.type(asked.getByLabelText('Kode verifikasi sekarang'), 'abcd-efgh');
    await userEvent.type(asked.getByLabelText('Kata sandi sekarang'), 'lama sekali{Enter}');
    expect(await section.findByRole('button', { name: 'Aktifkan' })).toBeTruthy();
    expect(proof).toEqual({ password: 'lama sekali', code: 'abcd-efgh' });
  });

  it('that must be there first is led to and explained, and then leads to what was asked for', async () => {
    must = true;
    serverSetsUp();
    const { router, store } = show('/devices?q=truk');
    expect(await screen.findByText('Aktifkan verifikasi dua langkah dahulu')).toBeTruthy();
    expect(router.state.location.pathname).toBe('/account');
    expect((await screen.findAllByRole('heading', { level: 2 }))[0]?.textContent).toContain('Verifikasi dua langkah');
    const codes = await setUp();
    await waitFor(() => expect(store.getState().session.user?.must_set_up_totp).toBe(false));
    expect(router.state.location.pathname).toBe('/account');
    await userEvent.click(codes.getByRole('button', { name: 'Saya sudah menyimpannya' }));
    expect(await screen.findByText('elsewhere')).toBeTruthy();
    expect(router.state.location.pathname + router.state.location.search).toBe('/devices?q=truk');
  });
});

describe('a password of somebody else', () => {
  it('is changed before anything else, and then the page that was asked for is there', async () => {
    let changed = false;
    const sent: unknown[] = [];
    server.use(
      http.post(at('/api/v1/account/password'), async ({ request }) => {
        sent.push(await request.json());
        changed = sent.length > 1;
        const fields = { new_password: 'Pilih kata sandi yang lain.' };
        return changed
          ? new HttpResponse(null, { status: 204 })
          : HttpResponse.json({ error: 'invalid', message: 'x', fields }, { status: 422 });
      }),
      http.get(at('/api/v1/auth/me'), () =>
        HttpResponse.json({ ...loginAnswer().user, must_change_password: !changed }),
      ),
    );
    const store = createStore();
    const answer = loginAnswer();
    store.dispatch(signedIn({ ...answer, user: { ...answer.user, must_change_password: true } }));
    const { router } = renderRoutes(routes, '/devices?q=truk', store);
    expect(await screen.findByRole('heading', { level: 1, name: 'Buat kata sandi Anda' })).toBeTruthy();
    expect(screen.queryByText('elsewhere')).toBeNull();
    await userEvent.type(screen.getByLabelText(/^Kata sandi yang Anda terima/), 'lama sekali');
    await userEvent.type(screen.getByLabelText(/^Kata sandi baru/), 'kuda benar baterai{Enter}');
    expect(await screen.findByText('Pilih kata sandi yang lain.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Simpan kata sandi' }));
    expect(await screen.findByText('elsewhere')).toBeTruthy();
    expect(sent[1]).toEqual({ current_password: 'lama sekali', new_password: 'kuda benar baterai' });
    expect(router.state.location.pathname + router.state.location.search).toBe('/devices?q=truk');
  });
});
