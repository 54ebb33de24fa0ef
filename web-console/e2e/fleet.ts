import { OWNER, type Armada } from './armada';
import { newImei } from './imei';

/** A device as it is made. */
export interface NewDevice {
  name: string;
  /** Another one for each, when it does not matter. */
  imei?: string;
  icon_type?: string;
  vehicle_code?: string;
  user_id?: string;
}

/** A tenant that has been made for a test, with its devices in the order in which they were asked for. */
export interface Fleet {
  tenantId: string;
  devices: { id: string; name: string; imei: string }[];
}

/** One call as a program makes it. */
export async function call<T>(armada: Armada, method: string, path: string, body?: object, token?: string): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(armada.url + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** What a platform owner shows with each call. */
export const ownerToken = async (armada: Armada): Promise<string> =>
  (await call<{ token: string }>(armada, 'POST', '/auth/login', OWNER)).token;

/** So many calls are under way at a time. */
const AT_ONCE = 8;

/** Makes a tenant with these devices. */
export async function newFleet(armada: Armada, name: string, wanted: NewDevice[]): Promise<Fleet> {
  const token = await ownerToken(armada);
  const tenant = await call<{ id: string }>(armada, 'POST', '/api/v1/tenants', { name }, token);
  const devices: Fleet['devices'] = [];
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const made = wanted.slice(from, from + AT_ONCE).map((device) => {
      const body = { imei: newImei(), ...device, tenant_id: tenant.id };
      return call<Fleet['devices'][number]>(armada, 'POST', '/api/v1/devices', body, token);
    });
    devices.push(...(await Promise.all(made)));
  }
  return { tenantId: tenant.id, devices };
}

/** `Truk 001`, `Truk 002` and so on. */
export const trucks = (count: number): NewDevice[] =>
  Array.from({ length: count }, (_, index) => ({ name: `Truk ${String(index + 1).padStart(3, '0')}` }));
