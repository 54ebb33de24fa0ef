import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saveSession, TOKEN_KEY } from '@/session/sessionStorage';
import { readClaims } from '@/session/claims';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { signInFirst } from './signInFirst';
import { start } from './signInPage';

const shown = vi.hoisted(() => ({ start: vi.fn<(root: HTMLElement, granted?: { token: string }) => Promise<void>>() }));
vi.mock('./console', () => shown);

setUpTestServer();

const here = () => window.location.pathname + window.location.search + window.location.hash;
const open = (address: string) => window.history.replaceState(null, '', address);

function keepSession() {
  const { token, user } = loginAnswer();
  saveSession({ token, user, claims: readClaims(token), selectedUserId: null, endReason: 'never' });
  return token;
}

beforeEach(() => void shown.start.mockReset().mockResolvedValue(undefined));
afterEach(() => {
  open('/');
  localStorage.clear();
  sessionStorage.clear();
});

describe('an address', () => {
  it('of the console is the sign-in for whom nothing is kept, which leads back there', () => {
    open('/devices?q=truk#isi');
    expect(signInFirst()).toBe(true);
    expect(here()).toBe(`/auth/login?next=${encodeURIComponent('/devices?q=truk#isi')}`);
    expect(signInFirst()).toBe(true);
  });

  it.each(['/auth/reset#x', '/auth/register', '/signed-in'])('that is open to anybody stays: %s', (address) => {
    open(address);
    expect([signInFirst(), here()]).toEqual([false, address]);
  });

  it('is left to the console where a session is kept, or a provider may have made one', () => {
    open('/devices');
    sessionStorage.setItem('signing_in_by_provider', '1');
    expect(signInFirst()).toBe(false);
    sessionStorage.clear();
    keepSession();
    expect([signInFirst(), here()]).toEqual([false, '/devices']);
  });
});

describe('the page of the sign-in', () => {
  function show(address: string) {
    open(address);
    const root = document.body.appendChild(document.createElement('div'));
    act(() => start(root));
    return root;
  }

  it('gives its place to the console, at the page that was asked for', async () => {
    const { token, user } = loginAnswer();
    const answer = { token, user };
    server.use(http.post(at('/auth/login'), () => HttpResponse.json(answer)));
    const root = show('/auth/login?next=%2Fmaps');
    await userEvent.type(await screen.findByLabelText('Email'), 'sari@example.test');
    await userEvent.type(screen.getByLabelText('Kata sandi'), 'a good long password');
    await userEvent.click(screen.getByRole('button', { name: 'Masuk' }));
    await vi.waitFor(() => expect(shown.start).toHaveBeenCalledTimes(1));
    const [place, granted] = shown.start.mock.calls[0] ?? [];
    expect([place, granted, here()]).toEqual([root, answer, '/maps']);
    root.remove();
  });

  it('does so when another tab has signed in, and says once why a provider refused', async () => {
    const root = show('/auth/login?error=oidc_no_account&next=%2Fmaps');
    expect((await screen.findByRole('alert')).textContent).toContain('Tidak ada akun aktif');
    expect(here()).toBe('/auth/login?next=%2Fmaps');
    keepSession();
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: TOKEN_KEY })));
    await vi.waitFor(() => expect(shown.start).toHaveBeenCalledTimes(1));
    expect([shown.start.mock.calls[0]?.[1], here()]).toEqual([undefined, '/maps']);
    root.remove();
  });
});
