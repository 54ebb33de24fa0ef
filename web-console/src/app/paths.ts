/** Screens that anybody may open. */
export const PUBLIC_PATHS = [
  '/auth/login',
  '/auth/register',
  '/auth/forgot-password',
  '/auth/invitation',
  '/auth/reset',
  '/auth/verify',
] as const;

/** Screens behind the sign-in. Plain data, so that the router, the navigation and the tests in the browser share it. */
export const SCREEN_PATHS = [
  '/maps',
  '/devices',
  '/users',
  '/tenants',
  '/roles',
  '/roles/compare',
  '/roles/permissions',
  '/audit',
  '/position-rejections',
  '/imei-claims',
  '/imei-claims/assignments',
  '/imei-claims/gateways',
  '/account',
] as const;

/** Screens of one thing, which its id leads to. */
export const DETAIL_PATHS = ['/roles/:id'] as const;

/** What is printed stands alone in its window. */
export const PRINT_PATHS = ['/print/devices', '/print/users', '/print/tenants', '/print/audit'] as const;

/** A screen behind the sign-in. */
export type ScreenPath = (typeof SCREEN_PATHS)[number];
