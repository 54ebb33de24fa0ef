import type { SessionUser } from '@/api/generated';

/** What the access token says of its holder, whatever spelling it uses. */
export interface Claims {
  userId: string;
  tenantId: string | null;
  roles: string[];
  isPlatformOwner: boolean;
  isTenantAdmin: boolean;
  isSubscriptionUser: boolean;
  policyVersion: number;
  /**
   * From when on the token is worth nothing, in milliseconds since 1970 by this machine's clock, which need not be right;
   * null when the token does not say.
   */
  expiresAt: number | null;
}

const TRUE_WORDS = new Set(['true', '1', 'yes', 'y', 'on']);

/** True for the values that count as yes: true, 1, yes, y, on. */
export function isTruthy(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value === 1;
  return typeof value === 'string' && TRUE_WORDS.has(value.trim().toLowerCase());
}

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

function roleList(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((role): role is string => typeof role === 'string');
  return typeof value === 'string' && value !== '' ? value.split(/[\s,]+/).filter(Boolean) : [];
}

/**
 * True when a role's name alone makes its holder a platform owner, where nothing else says whether they are: in tokens of
 * others. Armada says it itself, and has no roles with such names.
 */
export function isPlatformOwnerRole(role: string): boolean {
  const name = role.trim().toLowerCase();
  return (
    name.includes('platform_owner') || name.includes('admin_platform') || name === 'po' || name === 'platform_admin'
  );
}

/**
 * Reads the payload of a token; null when it is not one. The signature is the server's business. A token that was made
 * just now lives from `receivedAt` on, whatever time the server thinks it is.
 */
export function readClaims(token: string, receivedAt?: number): Claims | null {
  const payload = token.split('.')[1];
  if (!payload) return null;
  try {
    const base64 = payload.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    return claimsOf(JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>, receivedAt);
  } catch {
    return null;
  }
}

function claimsOf(raw: Record<string, unknown>, receivedAt: number | undefined): Claims {
  const roles = roleList(raw.roles ?? raw.role);
  const ownerFlags = [raw.is_platform_owner, raw.IsPlatformOwner, raw.isPlatformOwner, raw.po];
  return {
    userId: text(raw.user_id) ?? text(raw.userId) ?? text(raw.sub) ?? '',
    tenantId: text(raw.tenant_id) ?? text(raw.tenantId),
    roles,
    isPlatformOwner: isOwner(ownerFlags, roles),
    isTenantAdmin: [raw.is_tenant_admin, raw.IsTenantAdmin, raw.isTenantAdmin].some(isTruthy),
    isSubscriptionUser: isTruthy(raw.is_subscription_user),
    policyVersion: Number(raw.policy_version) || 0,
    expiresAt: expiry(raw.iat, raw.exp, receivedAt),
  };
}

/** What the flags say; what the names of the roles say if there is none. */
function isOwner(flags: unknown[], roles: string[]): boolean {
  const said = flags.filter((flag) => flag !== undefined && flag !== null);
  return said.length > 0 ? said.some(isTruthy) : roles.some(isPlatformOwnerRole);
}

function expiry(iat: unknown, exp: unknown, receivedAt: number | undefined): number | null {
  if (typeof exp !== 'number') return null;
  return receivedAt !== undefined && typeof iat === 'number' ? receivedAt + (exp - iat) * 1000 : exp * 1000;
}

/** The person on whose behalf the console acts: what the server said of them, completed by the token. */
export interface Person {
  id: string;
  tenantId: string | null;
  /** Null for platform owners, who belong to no tenant. */
  tenantName: string | null;
  name: string;
  email: string;
  roles: string[];
  isPlatformOwner: boolean;
  isTenantAdmin: boolean;
  isSubscriptionUser: boolean;
  /** What they see is made up. */
  isDemo: boolean;
  /** They must set up a second factor before anything else. */
  mustSetUpTotp: boolean;
  /** Keys of what they may do. */
  permissions: string[];
}

/** Joins the user of the answer with the claims of the token. */
export function personOf(user: Partial<SessionUser>, claims: Claims | null): Person {
  const flags = user as Record<string, unknown>;
  const roles = user.roles ?? claims?.roles ?? [];
  const ownerFlags = ['is_platform_owner', 'isPlatformOwner', 'is_admin_platform', 'isAdminPlatform'];
  const adminFlags = ['is_tenant_admin', 'isTenantAdmin'];
  return {
    id: user.user_id || user.id || claims?.userId || '',
    tenantId: user.tenant_id ?? user.tenantId ?? claims?.tenantId ?? null,
    tenantName: user.tenant_name ?? null,
    name: user.name ?? '',
    email: user.email ?? '',
    roles,
    isPlatformOwner: isOwner([...ownerFlags.map((flag) => flags[flag]), claims?.isPlatformOwner || undefined], roles),
    isTenantAdmin: adminFlags.some((flag) => isTruthy(flags[flag])) || (claims?.isTenantAdmin ?? false),
    isSubscriptionUser: isTruthy(user.is_subscription_user) || (claims?.isSubscriptionUser ?? false),
    isDemo: user.is_demo ?? false,
    mustSetUpTotp: user.must_set_up_totp ?? false,
    permissions: user.permissions ?? [],
  };
}
