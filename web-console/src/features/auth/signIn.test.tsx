import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { LoginPage } from './LoginPage';
import { signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { restoreSession } from '@/app/attach';
import { createStore } from '@/store';
import { renderRoutes } from '@/testing/render';

setUpTestServer();

const routes = [
  { path: '/auth/login', element: <LoginPage /> },
  { path: '*', element: <p>inside</p> },
];

async function signIn() {
  await userEvent.type(await screen.findByLabelText('Email'), 'sari@example.test');
  await userEvent.type(screen.getByLabelText('Kata sandi'), 'a good long password');
  await userEvent.click(screen.getByRole('button', { name: 'Masuk' }));
}

/** A server that wants this code after the password, and what it was sent. */
function serverWants(code: string): unknown[] {
  const sent: unknown[] = [];
  server.use(
    http.post(at('/auth/login'), async ({ request }) => {
      const body = (await request.json()) as { code?: string };
      sent.push(body);
      if (body.code === code) return HttpResponse.json(loginAnswer());
      const error = body.code === undefined ? 'totp_required' : 'totp_wrong';
      return HttpResponse.json({ error, message: 'Kode salah.' }, { status: 401 });
    }),
  );
  return sent;
}

describe('the second step', () => {
  it('asks for a code once the password was right, also again, and takes a pasted one', async () => {
    const sent = serverWants('123 456');
    renderRoutes(routes, '/auth/login');
    await signIn();
    const code = await screen.findByLabelText<HTMLInputElement>('Kode verifikasi');
    expect([code.autocomplete, code.inputMode, document.activeElement]).toEqual(['one-time-code', 'numeric', code]);
    expect(screen.queryByRole('alert')).toBeNull();
    await userEvent.type(code, '000000{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('Kode salah.');
    const again = screen.getByLabelText<HTMLInputElement>('Kode verifikasi');
    expect([again.value, document.activeElement]).toEqual(['', again]);
    await userEvent.paste('123 456');
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText('inside')).toBeTruthy();
    const credentials = { email: 'sari@example.test', password: 'a good long password' };
    expect(sent).toEqual([credentials, { ...credentials, code: '000000' }, { ...credentials, code: '123 456' }]);
  });

  it('takes a recovery code as well, and leads back', async () => {
    serverWants('abcd-efgh-ijkm-npqr');
    renderRoutes(routes, '/auth/login');
    await signIn();
    await userEvent.click(await screen.findByRole('button', { name: 'Kembali ke email dan kata sandi' }));
    await signIn();
    await userEvent.click(await screen.findByRole('button', { name: 'Pakai kode pemulihan' }));
    await userEvent.type(screen.getByLabelText('Kode pemulihan'), 'abcd-efgh-ijkm-npqr{Enter}');
    expect(await screen.findByText('inside')).toBeTruthy();
  });
});

describe('too many attempts', () => {
  it('are told with the time to wait, until it is over', async () => {
    server.use(
      http.post(at('/auth/login'), () =>
        HttpResponse.json(
          { error: 'too_many_attempts', message: 'x' },
          { status: 429, headers: { 'retry-after': '90' } },
        ),
      ),
    );
    renderRoutes(routes, '/auth/login');
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await signIn();
      const alert = await screen.findByRole('alert');
      expect(alert.textContent).toContain('Coba lagi dalam 2 menit.');
      act(() => void vi.advanceTimersByTime(90_000));
      await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('other ways in', () => {
  const options = (body: object) => server.use(http.get(at('/auth/options'), () => HttpResponse.json(body)));

  it('lead to a forgotten password, and to registration where it is open', async () => {
    renderRoutes(routes, '/auth/login');
    const link = (name: string) => screen.findByRole<HTMLAnchorElement>('link', { name });
    expect((await link('Lupa kata sandi?')).getAttribute('href')).toBe('/auth/forgot-password');
    expect((await link('Daftarkan perusahaan')).getAttribute('href')).toBe('/auth/register');
  });

  it('do not offer what is closed', async () => {
    options({ registration: false, mail: false, oidc_name: 'Direktori PT Maju' });
    renderRoutes(routes, '/auth/login');
    expect(await screen.findByRole('button', { name: 'Masuk dengan Direktori PT Maju' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Daftarkan perusahaan' })).toBeNull();
  });

  it('explain why the provider did not let somebody in, once', async () => {
    const { router } = renderRoutes(routes, '/auth/login?error=oidc_no_account&next=%2Fmaps');
    expect((await screen.findByRole('alert')).textContent).toContain('Tidak ada akun aktif');
    await waitFor(() => expect(router.state.location.search).toBe('?next=%2Fmaps'));
    expect(screen.getByRole('alert').textContent).toContain('Tidak ada akun aktif');
  });
});

describe('a second factor that the provider did not ask for', () => {
  it('is asked for here, without a password', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post(at('/auth/oidc/code'), async ({ request }) => {
        sent.push(await request.json());
        return sent.length > 1
          ? HttpResponse.json(loginAnswer())
          : HttpResponse.json({ error: 'totp_wrong', message: 'Kode salah.' }, { status: 401 });
      }),
    );
    renderRoutes(routes, '/auth/login?error=totp_required&next=%2Fmaps');
    await userEvent.type(await screen.findByLabelText('Kode verifikasi'), '000000{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('Kode salah.');
    expect(screen.queryByLabelText('Kata sandi')).toBeNull();
    await userEvent.type(screen.getByLabelText('Kode verifikasi'), '123456{Enter}');
    expect(await screen.findByText('inside')).toBeTruthy();
    expect(sent).toEqual([{ code: '000000' }, { code: '123456' }]);
  });

  it('leads back to the password when the provider has vouched too long ago', async () => {
    server.use(
      http.post(at('/auth/oidc/code'), () =>
        HttpResponse.json({ error: 'oidc_failed', message: 'Coba lagi.' }, { status: 401 }),
      ),
    );
    renderRoutes(routes, '/auth/login?error=totp_required');
    await userEvent.type(await screen.findByLabelText('Kode verifikasi'), '123456{Enter}');
    expect(await screen.findByLabelText('Kata sandi')).toBeTruthy();
  });
});

describe('coming back from the provider', () => {
  it('asks for the session that the cookie stands for', async () => {
    sessionStorage.setItem('signing_in_by_provider', '1');
    server.use(http.post(at('/auth/refresh'), () => HttpResponse.json(loginAnswer())));
    const store = createStore();
    await restoreSession(store);
    expect(store.getState().session.user?.id).toBe('user-1');
    expect(sessionStorage.length).toBe(0);
  });

  it('shows the sign-in when there is none, and asks nothing of who was never there', async () => {
    let asked = 0;
    server.use(
      http.post(at('/auth/refresh'), () => {
        asked += 1;
        return HttpResponse.json({ error: 'unauthenticated' }, { status: 401 });
      }),
    );
    sessionStorage.setItem('signing_in_by_provider', '1');
    const store = createStore();
    await restoreSession(store);
    await restoreSession(store);
    expect([asked, store.getState().session.user]).toEqual([1, null]);
  });

  it('leaves alone who is signed in', async () => {
    sessionStorage.setItem('signing_in_by_provider', '1');
    const store = createStore();
    store.dispatch(signedIn(loginAnswer()));
    await restoreSession(store);
    expect(sessionStorage.length).toBe(0);
  });
});
