import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Location } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { LoginPage } from '@/features/auth/LoginPage';
import { ForgotPasswordPage } from './ForgotPasswordPage';
import { InvitationPage, ResetPage, VerifyPage } from './LinkPage';
import { RegisterPage } from './RegisterPage';
import { signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { createStore } from '@/store';
import { renderRoutes } from '@/testing/render';

setUpTestServer();

const routes = [
  { path: '/auth/login', element: <LoginPage /> },
  { path: '/auth/register', element: <RegisterPage /> },
  { path: '/auth/forgot-password', element: <ForgotPasswordPage /> },
  { path: '/auth/invitation', element: <InvitationPage /> },
  { path: '/auth/reset', element: <ResetPage /> },
  { path: '/auth/verify', element: <VerifyPage /> },
];

const options = (body: object) => server.use(http.get(at('/auth/options'), () => HttpResponse.json(body)));
const WITH_TERMS = { registration: true, mail: true, terms_url: 'https://fleet.example/terms' };
const type = async (label: RegExp | string, text: string) => userEvent.type(await screen.findByLabelText(label), text);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

describe('registering a company', () => {
  beforeEach(() => options(WITH_TERMS));

  it('asks nobody to agree to terms that there are nowhere to read', async () => {
    options({ registration: true, mail: true });
    let sent: unknown;
    server.use(
      http.post(at('/auth/register'), async ({ request }) => {
        sent = await request.json();
        return new HttpResponse(null, { status: 204 });
      }),
    );
    renderRoutes(routes, '/auth/register');
    await type(/^Nama perusahaan/, 'PT Maju');
    await type(/^Nama Anda/, 'Budi');
    await type(/^Email/, 'budi@maju.example');
    await type(/^Telepon/, '+62 812 3456');
    const password = screen.queryByLabelText(/^Kata sandi/);
    if (password) await userEvent.type(password, 'kuda benar baterai');
    expect(screen.queryByRole('checkbox')).toBeNull();
    await press('Daftar');
    await waitFor(() => expect(sent).toMatchObject({ company: 'PT Maju', accepts_terms: false }));
  });

  it('sends what was typed, in the language of the screen, and says where to look', async () => {
    let sent: unknown;
    server.use(
      http.post(at('/auth/register'), async ({ request }) => {
        sent = await request.json();
        return new HttpResponse(null, { status: 204 });
      }),
    );
    renderRoutes(routes, '/auth/register');
    await type(/^Nama perusahaan/, 'PT Maju');
    await type(/^Nama Anda/, 'Budi');
    await type(/^Email/, 'budi@maju.example');
    await type(/^Telepon/, '+62 812 3456');
    expect(screen.queryByLabelText(/^Kata sandi/)).toBeNull();
    await type(/^NPWP/, '01.234.567.8-901.000');
    await userEvent.click(screen.getByRole('checkbox'));
    await press('Daftar');
    expect(await screen.findByRole('heading', { level: 1, name: 'Periksa email Anda' })).toBeTruthy();
    expect(screen.getByText(/Kami mengirim email ke budi@maju\.example/)).toBeTruthy();
    expect(sent).toEqual({
      company: 'PT Maju',
      name: 'Budi',
      email: 'budi@maju.example',
      phone: '+62 812 3456',
      tax_number: '01.234.567.8-901.000',
      accepts_terms: true,
      locale: 'id',
    });
  });

  it('says at each field what is wrong with it, before sending and after', async () => {
    server.use(
      http.post(at('/auth/register'), () =>
        HttpResponse.json(
          { error: 'invalid', message: 'Periksa.', fields: { email: 'Bukan alamat email.' } },
          { status: 422 },
        ),
      ),
    );
    renderRoutes(routes, '/auth/register');
    await type(/^NPWP/, '123');
    await press('Daftar');
    expect(await screen.findAllByText('Wajib diisi.')).toHaveLength(4);
    expect(screen.getByText('NPWP terdiri atas 15 atau 16 angka.')).toBeTruthy();
    expect(screen.getByText('Setujui syarat untuk melanjutkan.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText(/^Nama perusahaan/));
    await type(/^Nama perusahaan/, 'PT Maju');
    await type(/^Nama Anda/, 'Budi');
    await type(/^Email/, 'budi@maju.example');
    await type(/^Telepon/, '0812');
    await userEvent.clear(screen.getByLabelText(/^NPWP/));
    await userEvent.click(screen.getByRole('checkbox'));
    await press('Daftar');
    expect(await screen.findByText('Bukan alamat email.')).toBeTruthy();
  });

  it('goes to the operator where no mail is sent, and leads to the terms', async () => {
    options({ registration: true, mail: false, terms_url: 'https://fleet.example/terms' });
    server.use(http.post(at('/auth/register'), () => new HttpResponse(null, { status: 204 })));
    renderRoutes(routes, '/auth/register');
    const terms = await screen.findByRole('link', { name: 'syarat layanan dan kebijakan privasi' });
    expect(terms.getAttribute('href')).toBe('https://fleet.example/terms');
    expect(screen.getByRole('checkbox', { name: /Saya menyetujui syarat layanan/ })).toBeTruthy();
    await type(/^Nama perusahaan/, 'PT Maju');
    await type(/^Nama Anda/, 'Budi');
    await type(/^Email/, 'budi@maju.example');
    await type(/^Telepon/, '0812');
    await userEvent.click(screen.getByRole('checkbox'));
    await press('Daftar');
    expect(await screen.findByRole('heading', { level: 1, name: 'Pendaftaran diterima' })).toBeTruthy();
    expect(screen.getByText(/memeriksa pendaftaran budi@maju\.example/)).toBeTruthy();
  });

  it('says when it is closed', async () => {
    options({ registration: false, mail: true });
    renderRoutes(routes, '/auth/register');
    expect(await screen.findByRole('heading', { level: 1, name: 'Pendaftaran ditutup' })).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});

describe('a forgotten password', () => {
  it('gets the same words whoever asks', async () => {
    server.use(http.post(at('/auth/forgot-password'), () => new HttpResponse(null, { status: 204 })));
    renderRoutes(routes, '/auth/forgot-password');
    await type(/^Email/, 'siapa@example.test');
    await press('Kirim tautan');
    expect(await screen.findByText(/Jika siapa@example\.test punya akun di sini/)).toBeTruthy();
  });

  it('is the business of the admin where no mail goes out', async () => {
    options({ registration: false, mail: false });
    renderRoutes(routes, '/auth/forgot-password');
    expect(await screen.findByText(/Admin Anda dapat membuat tautan/)).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});

describe('the link of a mail', () => {
  const link = (purpose: string) =>
    server.use(
      http.post(at('/auth/links'), async ({ request }) =>
        ((await request.json()) as { token: string }).token === 'secret-token'
          ? HttpResponse.json({ purpose, email: 'sari@example.test', name: 'Sari', tenant_name: 'PT Maju' })
          : HttpResponse.json({ error: 'link_invalid', message: 'x' }, { status: 404 }),
      ),
    );
  const uses = () => {
    const sent: unknown[] = [];
    server.use(
      http.post(at('/auth/links/use'), async ({ request }) => {
        sent.push(await request.json());
        return new HttpResponse(null, { status: 204 });
      }),
    );
    return sent;
  };

  it('leaves no token in the address, and works when the page is loaded anew', async () => {
    link('invitation');
    const { router, unmount } = renderRoutes(routes, '/auth/invitation#secret-token');
    const text = /pilih kata sandi untuk akun Anda di PT Maju/;
    expect(await screen.findByText(text)).toBeTruthy();
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    const { pathname, state } = router.state.location as Location;
    unmount();
    // What the browser keeps of the entry.
    renderRoutes(routes, { pathname, state });
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('lets the invited choose a password, and sign in with it', async () => {
    link('invitation');
    const sent = uses();
    const { router } = renderRoutes(routes, '/auth/invitation#secret-token');
    await type(/^Kata sandi baru/, 'kurang');
    await press('Simpan kata sandi');
    expect(await screen.findByText('Minimal 8 karakter.')).toBeTruthy();
    await type(/^Kata sandi baru/, ' satu dua tiga');
    await press('Simpan kata sandi');
    expect(await screen.findByRole('heading', { name: 'Akun Anda siap' })).toBeTruthy();
    expect(sent).toEqual([{ token: 'secret-token', new_password: 'kurang satu dua tiga' }]);
    await press('Masuk');
    expect((await screen.findByLabelText<HTMLInputElement>('Email')).value).toBe('sari@example.test');
    expect(router.state.location.pathname).toBe('/auth/login');
  });

  it('confirms an address with a password, which nobody chose before', async () => {
    link('email_verification');
    const sent = uses();
    renderRoutes(routes, '/auth/verify#secret-token');
    await press('Konfirmasi');
    expect(await screen.findByText('Wajib diisi.')).toBeTruthy();
    await type(/^Kata sandi baru/, 'kuda benar baterai');
    expect(screen.getByRole('status').textContent).toBe('Kuat');
    await press('Konfirmasi');
    expect(await screen.findByRole('heading', { name: 'Alamat email dikonfirmasi' })).toBeTruthy();
    expect(sent).toEqual([{ token: 'secret-token', new_password: 'kuda benar baterai' }]);
  });

  it('signs out whoever was signed in here before its person signs in', async () => {
    link('password_reset');
    uses();
    let signedOut = false;
    server.use(
      http.post(at('/auth/logout'), () => {
        signedOut = true;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const store = createStore();
    store.dispatch(signedIn(loginAnswer({ person: 'somebody else' })));
    renderRoutes(routes, '/auth/reset#secret-token', store);
    await type(/^Kata sandi baru/, 'satu dua tiga empat');
    await press('Simpan kata sandi');
    await press('Masuk');
    await screen.findByLabelText('Email');
    expect([signedOut, store.getState().session.user]).toEqual([true, null]);
  });

  it.each([
    ['/auth/invitation#used', 'Undangan berlaku tujuh hari'],
    ['/auth/reset#old', 'Tautan ini berlaku dua jam'],
    ['/auth/verify', 'Tautan konfirmasi berlaku 48 jam'],
  ])('that does not hold, as %s, is explained', async (path, words) => {
    link('invitation');
    renderRoutes(routes, path);
    expect(await screen.findByText(new RegExp(words))).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Kembali ke halaman masuk' })).toBeTruthy();
    const again = screen.queryByRole('link', { name: 'Minta tautan kata sandi baru' });
    if (path.startsWith('/auth/invitation')) expect(again).toBeNull();
    else await waitFor(() => expect(screen.getByRole('link', { name: 'Minta tautan kata sandi baru' })).toBeTruthy());
  });

  it('that was used while its page was open says so', async () => {
    link('password_reset');
    server.use(
      http.post(at('/auth/links/use'), () =>
        HttpResponse.json({ error: 'link_invalid', message: 'x' }, { status: 404 }),
      ),
    );
    renderRoutes(routes, '/auth/reset#secret-token');
    await type(/^Kata sandi baru/, 'satu dua tiga empat');
    await press('Simpan kata sandi');
    expect(await screen.findByRole('heading', { name: 'Tautan ini tidak berlaku lagi' })).toBeTruthy();
  });
});
