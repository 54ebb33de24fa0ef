import type { SessionUser } from '@/api/generated';

const base64 = (value: object) =>
  btoa(JSON.stringify(value)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_');

/** A token with these claims; nobody checks its signature in the browser. */
export function tokenWith(claims: object): string {
  return `${base64({ alg: 'EdDSA' })}.${base64(claims)}.signature`;
}

/** What a tenant's administrator may do. */
const ADMIN = ['audit', 'device', 'position', 'role', 'user'].flatMap((module) =>
  ['list', 'create', 'update', 'delete', 'export', 'live', 'history', 'invite', 'assign_roles'].map(
    (act) => `${module}:${act}`,
  ),
);

interface LoginOptions {
  expiresIn?: number;
  serial?: number;
  person?: string;
  permissions?: string[];
}

/** An answer to a login: a tenant's administrator, signed in for ten minutes unless told otherwise. */
export function loginAnswer(options: LoginOptions = {}): {
  token: string;
  user: SessionUser;
} {
  const id = options.person ?? 'user-1';
  const exp = Math.floor(Date.now() / 1000) + (options.expiresIn ?? 600);
  return {
    token: tokenWith({ sub: id, tenant_id: 'tenant-1', exp, serial: options.serial ?? 1 }),
    user: {
      id,
      user_id: id,
      tenant_id: 'tenant-1',
      name: 'Admin',
      email: 'admin@example.test',
      time_zone: 'Asia/Jakarta',
      roles: [],
      is_platform_owner: false,
      is_tenant_admin: true,
      is_subscription_user: false,
      policy_version: 1,
      is_demo: false,
      permissions: options.permissions ?? ADMIN,
      locale: 'id',
      must_set_up_totp: false,
      must_change_password: false,
    },
  };
}
