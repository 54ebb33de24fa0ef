import { RESOURCE_ENTRIES, SCREENS } from '@/resource/registry';

/** Screens that anybody may open. */
export const PUBLIC_PATHS = [
  '/auth/login',
  '/auth/register',
  '/auth/forgot-password',
  '/auth/invitation',
  '/auth/reset',
  '/auth/verify',
  '/signed-in',
] as const;

/** Screens behind the sign-in that are no list of a resource. */
export const OWN_PATHS = [
  '/',
  '/maps',
  '/playback',
  '/devices/setup',
  '/roles/compare',
  '/devices/deleted',
  '/device-members/manager',
  '/maintenance/calendar',
  '/maintenance/costs',
  '/position-rejections',
  '/thresholds',
  '/jobs',
  '/account',
] as const;

/** Whether a screen is a map that fills it. */
export const isMapPath = (path: string): boolean => path === '/maps' || path === '/playback';

/** Every screen behind the sign-in, in the order of the sidebar where it stands there. */
export const SCREEN_PATHS: string[] = [
  ...new Set([...SCREENS.map(({ path }) => path), ...RESOURCE_ENTRIES.map(([, { path }]) => path), ...OWN_PATHS]),
];

/** Screens of one thing, which its id leads to. */
export const DETAIL_PATHS = ['/roles/:id', '/devices/:id'] as const;
