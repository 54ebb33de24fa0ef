import type { APIRequestContext, Page } from '@playwright/test';
import { OWNER, expect, type Armada } from './armada';
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

/** Makes the administrator of a tenant. */
export async function makeAdmin(request: APIRequestContext, armada: Armada, name: string, tenantId: string): Promise<Person> {
  const headers = await owner(request, armada);
  const account = { email: `${name.toLowerCase()}.${++made}@example.test`, password: 'a good long password' };
  const data = { ...account, name, tenant_id: tenantId, is_tenant_admin: true };
  const answer = await request.post(`${armada.url}/api/v1/users`, { headers, data });
  return { ...account, id: ((await answer.json()) as { id: string }).id, name };
}

/** Every session of somebody ends on the server: a new password does that. */
export async function changePassword(request: APIRequestContext, armada: Armada, { id }: Person, password: string): Promise<void> {
  const headers = await owner(request, armada);
  const answer = await request.put(`${armada.url}/api/v1/users/${id}`, { headers, data: { password } });
  expect(answer.status()).toBe(200);
}

/** Opens a page as somebody who has signed in before: without the form, which has journeys of its own. */
export async function enter(page: Page, path: string, account: Account = OWNER): Promise<void> {
  const answer = await page.request.post('/auth/login', { data: account });
  const { token, user } = (await answer.json()) as { token: string; user: object };
  // A page of the same origin on which nothing of the console runs.
  await page.goto('/favicon.svg');
  await page.evaluate(([key, person]) => {
    localStorage.setItem('user', person);
    localStorage.setItem('token', key);
  }, [token, JSON.stringify(user)] as const);
  await page.goto(path);
  await expect(userMenu(page)).toBeVisible();
}
