import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach } from 'vitest';
import type { User } from '@/api/types';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer, tokenWith } from '@/testing/tokens';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import usersResource from './users.resource';

export const sari: User = {
  id: 'user-2',
  tenant_id: 'tenant-1',
  tenant_name: 'Angkutan Merdeka',
  name: 'Sari',
  email: 'sari@example.test',
  phone: '0812',
  is_platform_owner: false,
  is_tenant_admin: false,
  is_active: true,
  is_subscription_active: true,
  status: 'active',
  roles: [{ id: 'role-1', name: 'Pemantau' }],
  locale: 'id',
  has_totp: false,
  row_version: 3,
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
};
export const admin: User = {
  ...sari,
  id: 'user-1',
  name: 'Admin',
  email: 'admin@example.test',
  is_tenant_admin: true,
  roles: [],
};
const ROLES = [
  { id: 'role-1', tenant_id: 'tenant-1', name: 'Pemantau' },
  { id: 'role-2', tenant_id: 'tenant-1', name: 'Manajer' },
];
export const EVERYTHING = ['list', 'create', 'update', 'delete', 'export', 'invite', 'assign_roles']
  .map((act) => `user:${act}`)
  .concat('role:list');

interface Backend {
  users: User[];
  /** Methods and paths of the requests that change something, in their order. */
  requests: string[];
  /** Their bodies. */
  sent: Record<string, unknown>;
  /** What they were to be based on. */
  versions: Record<string, string | null>;
}

/** What the server of a test has, and what was asked of it. */
export const backend: Backend = { users: [], requests: [], sent: {}, versions: {} };

const person = (id: unknown) => backend.users.find((user) => user.id === id);

export async function record(request: Request) {
  const key = `${request.method} ${new URL(request.url).pathname}`;
  backend.requests.push(key);
  backend.sent[key] = await request.json();
  backend.versions[key] = request.headers.get('if-match');
}

/** Two users and two roles, anew for each test. */
export function setUpUsers() {
  setUpTestServer();
  beforeEach(() => {
    Object.assign(backend, { users: [admin, sari], requests: [], sent: {}, versions: {} });
    server.use(...handlers());
  });
}

const handlers = () => [
  http.get(at('/api/v1/users'), () => HttpResponse.json({ items: backend.users, total: backend.users.length })),
  http.get(at('/api/v1/users/summary'), () =>
    HttpResponse.json({
      total: 9,
      active: 6,
      inactive: 2,
      invited: 1,
      tenant_admins: 1,
      subscription_active: 5,
      with_totp: 3,
      never_signed_in: 4,
    }),
  ),
  http.get(at('/api/v1/users/:id'), ({ params }) => HttpResponse.json(person(params.id) ?? null)),
  http.post(at('/api/v1/users'), async ({ request }) => {
    await record(request);
    const created = {
      ...sari,
      ...(backend.sent['POST /api/v1/users'] as object),
      id: 'user-3',
      roles: [],
      row_version: 1,
    };
    backend.users = [...backend.users, created];
    return HttpResponse.json(created, { status: 201 });
  }),
  http.put(at('/api/v1/users/:id'), async ({ request, params }) => {
    await record(request);
    return HttpResponse.json({ ...person(params.id), row_version: 2 });
  }),
  http.put(at('/api/v1/users/:id/roles'), async ({ request, params }) => {
    await record(request);
    const { role_ids } = backend.sent[`PUT /api/v1/users/${String(params.id)}/roles`] as { role_ids: string[] };
    const roles = ROLES.filter(({ id }) => role_ids.includes(id));
    return HttpResponse.json({ ...person(params.id), roles, row_version: 3 });
  }),
  http.get(at('/api/v1/roles'), () => HttpResponse.json({ items: ROLES, total: 2 })),
  http.get(at('/api/v1/roles/:id'), ({ params }) => HttpResponse.json(ROLES.find(({ id }) => id === params.id))),
];

export function show(path = '/users', permissions = EVERYTHING) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return renderAt(<ResourceListPage resource={usersResource} />, path, store);
}

export function showToOwner(path: string) {
  const store = createStore();
  const { user } = loginAnswer({ person: 'owner' });
  const token = tokenWith({ sub: 'owner', is_platform_owner: true, exp: Math.floor(Date.now() / 1000) + 600 });
  const owner = {
    ...user,
    tenant_id: undefined,
    is_platform_owner: true,
    is_tenant_admin: false,
    permissions: EVERYTHING,
  };
  store.dispatch(signedIn({ token, user: owner }));
  return renderAt(<ResourceListPage resource={usersResource} />, path, store);
}

export const drawer = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));
export const refused = (message: string, fields: Record<string, string>, status = 422) =>
  HttpResponse.json({ error: 'invalid', message, fields }, { status });

export async function fillNew() {
  const form = await drawer('Pengguna baru');
  await userEvent.type(form.getByLabelText(/^Nama/), 'Budi');
  await userEvent.type(form.getByLabelText(/^Email/), 'budi@example.test');
  return form;
}

export async function chooseRole(form: Awaited<ReturnType<typeof drawer>>, name: string) {
  await userEvent.click(form.getByRole('combobox', { name: /^Peran/ }));
  await userEvent.click(await screen.findByRole('option', { name }));
}
