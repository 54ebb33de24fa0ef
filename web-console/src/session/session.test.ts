import { describe, expect, it } from 'vitest';
import { tokenWith } from '@/testing/tokens';
import { can } from './abilities';
import { isPlatformOwnerRole, isTruthy, personOf, readClaims, type Person } from './claims';
import { renewalDelay } from './keepAlive';
import { loginPath, safeReturnPath } from './returnTo';

describe('isTruthy', () => {
  it.each([true, 1, '1', 'true', 'YES', 'y', ' on '])('takes %j for yes', (value) => {
    expect(isTruthy(value)).toBe(true);
  });
  it.each([false, 0, 2, '', '0', 'no', 'off', null, undefined, {}])('takes %j for no', (value) => {
    expect(isTruthy(value)).toBe(false);
  });
});

describe('readClaims', () => {
  it.each([
    [{ user_id: 'a', userId: 'b', sub: 'c' }, 'a'],
    [{ userId: 'b', sub: 'c' }, 'b'],
    [{ sub: 'c' }, 'c'],
  ])('finds the user in %j', (claims, userId) => {
    expect(readClaims(tokenWith(claims))?.userId).toBe(userId);
  });

  it('reads the other spellings', () => {
    expect(readClaims(tokenWith({ tenantId: 't', role: 'viewer', IsTenantAdmin: 'yes', po: 1, exp: 7 }))).toMatchObject(
      {
        tenantId: 't',
        roles: ['viewer'],
        isTenantAdmin: true,
        isPlatformOwner: true,
        expiresAt: 7_000,
      },
    );
  });

  it.each([
    [{ iat: 1_000, exp: 1_600 }, 50_000, 650_000],
    [{ exp: 1_600 }, 50_000, 1_600_000],
    [{ iat: 1_000, exp: 1_600 }, undefined, 1_600_000],
  ])('goes by the clock of this machine for %j received at %s', (claims, receivedAt, expiresAt) => {
    expect(readClaims(tokenWith({ sub: 'a', ...claims }), receivedAt)?.expiresAt).toBe(expiresAt);
  });

  it('reads names beyond ASCII', () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ sub: 'é中' }));
    const payload = btoa(String.fromCharCode(...bytes)).replaceAll('=', '');
    expect(readClaims(`x.${payload}.y`)?.userId).toBe('é中');
  });

  it.each(['', 'abc', 'a.b.c', 'a.!!!.c'])('is null for %j', (token) => {
    expect(readClaims(token)).toBeNull();
  });
});

describe('platform owners', () => {
  it.each(['platform_owner', 'SUPER_PLATFORM_OWNER_2', 'admin_platform', 'po', 'Platform_Admin'])(
    '%s is one',
    (role) => {
      expect(isPlatformOwnerRole(role)).toBe(true);
    },
  );
  it.each(['owner', 'pos', 'tenant_admin', ''])('%s is none', (role) => {
    expect(isPlatformOwnerRole(role)).toBe(false);
  });
  it('are known by flag, role or claim', () => {
    const claims = readClaims(tokenWith({ sub: 'a', is_platform_owner: 'on' }));
    expect(personOf({ is_platform_owner: true }, null).isPlatformOwner).toBe(true);
    expect(personOf({ roles: ['po'] }, null).isPlatformOwner).toBe(true);
    expect(personOf({ isAdminPlatform: 'yes' } as object, null).isPlatformOwner).toBe(true);
    expect(personOf({}, claims).isPlatformOwner).toBe(true);
    expect(personOf({}, null).isPlatformOwner).toBe(false);
  });
  it('are none by the name of a role where the server says that they are not', () => {
    expect(personOf({ is_platform_owner: false, roles: ['PO'] }, null).isPlatformOwner).toBe(false);
    expect(readClaims(tokenWith({ sub: 'a', is_platform_owner: false, roles: ['po'] }))?.isPlatformOwner).toBe(false);
  });
});

describe('can', () => {
  const person = (flags: Partial<Person>) => ({ ...personOf({}, null), ...flags });
  const owner = person({ isPlatformOwner: true });
  const reader = person({ permissions: ['user:list'] });
  const nobody = person({});

  it.each([
    ['platform_owner', true, false, false],
    ['user:list', false, true, false],
    ['user:create', false, false, false],
  ] as const)('%s', (ability, byOwner, byReader, byNobody) => {
    expect([owner, reader, nobody, null].map((who) => can(ability, who))).toEqual([byOwner, byReader, byNobody, false]);
  });
});

describe('safeReturnPath', () => {
  it.each(['/devices', '/maps?device_id=7&x=a%20b', '/devices?q=1#top'])('returns to %s', (path) => {
    expect(safeReturnPath(path, 'http://console.test')).toBe(path);
    const next = new URL(loginPath(path), 'http://console.test').searchParams.get('next');
    expect(next).toBe(path);
  });
  it.each([
    null,
    '',
    'devices',
    'https://evil.test/',
    '//evil.test/',
    '/\\evil.test',
    'javascript:alert(1)',
    '/auth/login?next=/x',
    '/.//evil.test\\@',
  ])('goes home instead of %j', (path) => {
    expect(safeReturnPath(path, 'http://console.test')).toBe('/');
  });
});

describe('renewalDelay', () => {
  it('comes a minute early, or half-way for short tokens', () => {
    expect(renewalDelay(600_000, 0)).toBe(540_000);
    expect(renewalDelay(60_000, 0)).toBe(30_000);
    expect(renewalDelay(0, 10)).toBe(0);
  });
});
