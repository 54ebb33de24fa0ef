import type { APIRequestContext, Page } from '@playwright/test';
import { OWNER, expect, type Armada } from './armada';
import { call, ownerToken } from './fleet';
import { userMenu, type Account } from './steps';

/** Somebody who was made past the screens. */
export interface Person extends Account {
  id: string;
  name: string;
}

let made = 0;

async function owner(request: APIRequestContext, armada: Armada): Promise<Record<string, string>> {
  const answer = await request.post(`${armada.url}/auth/login`, { data: OWNER });
  const { token } = (await answer.json()) as { token: string };
  return { authorization: `Bearer ${token}` };
}

/** Makes a tenant. */
export async function makeTenant(request: APIRequestContext, armada: Armada, name: string): Promise<string> {
  const headers = await owner(request, armada);
  const answer = await request.post(`${armada.url}/api/v1/tenants`, { headers, data: { name } });
  return ((await answer.json()) as { id: string }).id;
}

/** The tenant of the demonstration. */
export async function demoTenant(request: APIRequestContext, armada: Armada): Promise<string> {
  const headers = await owner(request, armada);
  const answer = await request.get(`${armada.url}/api/v1/tenants`, { headers });
  const { items } = (await answer.json()) as { items: { id: string; is_demo?: boolean }[] };
  const demo = items.find((tenant) => tenant.is_demo);
  if (!demo) throw new Error('there is no demonstration');
  return demo.id;
}

/** A user as it is made past the screens. */
interface NewUser extends Account {
  name: string;
  tenant_id?: string;
  is_tenant_admin?: boolean;
}

/** Makes a user who has accepted an invitation and chosen their password, and returns the id. */
export async function makeUser(armada: Armada, token: string, { password, ...user }: NewUser): Promise<string> {
  const { id } = await call<{ id: string }>(armada, 'POST', '/api/v1/users', { ...user, invite: true }, token);
  await choosePassword(armada, token, id, 'invitation', password);
  return id;
}

/** The user opens the link that somebody hands over, and chooses a password: whatever sessions there were end. */
async function choosePassword(
  armada: Armada,
  token: string,
  id: string,
  purpose: string,
  new_password: string,
): Promise<void> {
  const { link } = await call<{ link: string }>(armada, 'POST', `/api/v1/users/${id}/links`, { purpose }, token);
  const body = JSON.stringify({ token: link.split('#')[1], new_password });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${armada.url}/auth/links/use`, { method: 'POST', headers, body });
  expect(answer.status).toBe(204);
}

/** Makes the administrator of a tenant. */
export async function makeAdmin(
  _request: APIRequestContext,
  armada: Armada,
  name: string,
  tenantId: string,
): Promise<Person> {
  const account = { email: `${name.toLowerCase()}.${++made}@example.test`, password: 'a good long password' };
  const user = { ...account, name, tenant_id: tenantId, is_tenant_admin: true };
  return { ...account, id: await makeUser(armada, await ownerToken(armada), user), name };
}

/** Every session of somebody ends on the server: a new password does that. */
export async function changePassword(
  _request: APIRequestContext,
  armada: Armada,
  { id }: Person,
  password: string,
): Promise<void> {
  await choosePassword(armada, await ownerToken(armada), id, 'password_reset', password);
}

/** Opens a page as somebody who has signed in before: without the form, which has journeys of its own. */
export async function enter(page: Page, path: string, account: Account = OWNER): Promise<void> {
  const answer = await page.request.post('/auth/login', { data: account });
  const { token, user } = (await answer.json()) as { token: string; user: object };
  // A page of the same origin on which nothing of the console runs.
  await page.goto('/favicon.svg');
  await page.evaluate(
    ([key, person]) => {
      localStorage.setItem('user', person);
      localStorage.setItem('token', key);
    },
    [token, JSON.stringify(user)] as const,
  );
  await page.goto(path);
  await expect(userMenu(page)).toBeVisible();
}
