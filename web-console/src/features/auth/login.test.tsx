import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Outlet, useLocation } from 'react-router';
import { describe, expect, it } from 'vitest';
import { LoginPage } from './LoginPage';
import { ended } from '@/session/sessionSlice';
import { TOKEN_KEY } from '@/session/sessionStorage';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { RequireSession } from '@/app/RequireSession';
import { renderRoutes } from '@/testing/render';

setUpTestServer();

function Where() {
  const { pathname, search } = useLocation();
  return <p>at {pathname + search}</p>;
}

const routes = [
  { path: '/auth/login', element: <LoginPage /> },
  {
    element: <RequireSession />,
    children: [
      {
        path: '*',
        element: (
          <>
            <Outlet />
            <Where />
          </>
        ),
      },
    ],
  },
];

async function fill(email: string, password: string) {
  const user = userEvent.setup();
  if (email) await user.type(await screen.findByLabelText('Email'), email);
  if (password) await user.type(screen.getByLabelText('Kata sandi'), password);
  await user.click(await screen.findByRole('button', { name: 'Masuk' }));
}

describe('signing in', () => {
  it('asks for both fields', async () => {
    renderRoutes(routes, '/auth/login');
    await fill('admin@example.test', '');
    expect(screen.getByRole('alert').textContent).toContain('Email dan kata sandi wajib diisi.');
  });

  it('says that it works on it, then leads to the page that was asked for', async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    server.use(
      http.post(at('/auth/login'), async ({ request }) => {
        expect(await request.json()).toEqual({ email: 'admin@example.test', password: 'correct horse' });
        await answered;
        return HttpResponse.json(loginAnswer());
      }),
    );
    renderRoutes(routes, '/maps?device_id=7');
    await fill(' admin@example.test', 'correct horse');
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Memproses...' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    answer();
    expect(await screen.findByText('at /maps?device_id=7')).toBeTruthy();
    expect(localStorage.getItem(TOKEN_KEY)).toBeTruthy();
    expect(localStorage.getItem('selected_user_id')).toBe('user-1');
  });

  it.each([
    [401, { error: 'login_failed', message: 'Gagal masuk, coba lagi.' }, 'Email atau kata sandi salah.'],
    [401, { error: 'totp_wrong', message: 'Kode salah.' }, 'Kode salah.'],
  ])('says that it failed, and why below: %i %j', async (status, body, why) => {
    server.use(http.post(at('/auth/login'), () => HttpResponse.json(body, { status })));
    renderRoutes(routes, '/auth/login');
    await fill('admin@example.test', 'wrong');
    expect((await screen.findByRole('alert')).textContent).toBe(`Gagal melakukan login, coba lagi.${why}`);
  });

  it('has words of its own when the server has none', async () => {
    server.use(http.post(at('/auth/login'), () => new HttpResponse(null, { status: 500 })));
    renderRoutes(routes, '/auth/login');
    await fill('admin@example.test', 'secret');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Gagal melakukan login, coba lagi.'));
  });

  it('does not follow a link to elsewhere', async () => {
    server.use(http.post(at('/auth/login'), () => HttpResponse.json(loginAnswer())));
    renderRoutes(routes, '/auth/login?next=https%3A%2F%2Fevil.test%2F');
    await fill('admin@example.test', 'secret');
    expect(await screen.findByText('at /')).toBeTruthy();
  });
});

describe('a session that ends', () => {
  it.each([
    ['expired', '?next=%2Fdevices%3Fq%3Dtruk'],
    ['signed_out', ''],
  ] as const)('leads to the login page when it %s', async (reason, search) => {
    server.use(http.post(at('/auth/login'), () => HttpResponse.json(loginAnswer())));
    const { router, store } = renderRoutes(routes, '/devices?q=truk');
    await fill('admin@example.test', 'secret');
    await screen.findByText('at /devices?q=truk');
    store.dispatch(ended(reason));
    await screen.findByLabelText('Email');
    expect(router.state.location.pathname).toBe('/auth/login');
    expect(router.state.location.search).toBe(search);
  });
});
