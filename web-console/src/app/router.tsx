import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { ScreenNotLoaded } from '@/lib/screenNotLoaded';
import { RESOURCE_ENTRIES, type ResourceKey } from '@/resource/registry';
import { LoadingBar } from './LoadingBar';
import { DETAIL_PATHS, OWN_PATHS, PUBLIC_PATHS } from './paths';
import { RequireSession } from './RequireSession';
import { RouteError } from './RouteError';

type LazyRoute = Pick<RouteObject, 'lazy'>;

const page = <K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K): LazyRoute => ({
  lazy: async () => {
    const loaded = await load().catch((cause: unknown) => {
      throw new ScreenNotLoaded('the code of a screen could not be loaded', { cause });
    });
    return { Component: loaded[name] };
  },
});

const PUBLIC: Record<(typeof PUBLIC_PATHS)[number], LazyRoute> = {
  '/auth/login': page(() => import('@/features/auth/LoginPage'), 'LoginPage'),
  '/auth/register': page(() => import('@/features/registration/RegisterPage'), 'RegisterPage'),
  '/auth/forgot-password': page(() => import('@/features/registration/ForgotPasswordPage'), 'ForgotPasswordPage'),
  '/auth/invitation': page(() => import('@/features/registration/LinkPage'), 'InvitationPage'),
  '/auth/reset': page(() => import('@/features/registration/LinkPage'), 'ResetPage'),
  '/auth/verify': page(() => import('@/features/registration/LinkPage'), 'VerifyPage'),
  '/signed-in': page(() => import('@/features/auth/SignedInPage'), 'SignedInPage'),
};

const SCREENS: Record<(typeof OWN_PATHS)[number], LazyRoute> = {
  '/': page(() => import('@/features/dashboard/DashboardPage'), 'DashboardPage'),
  '/maps': page(() => import('@/features/maps/MapsPage'), 'MapsPage'),
  '/playback': page(() => import('@/features/playback/PlaybackPage'), 'PlaybackPage'),
  '/devices/setup': page(() => import('@/features/devices/setup/SetupPage'), 'SetupPage'),
  '/roles/compare': page(() => import('@/features/roles/ComparePage'), 'ComparePage'),
  '/devices/deleted': page(() => import('@/features/devices/DeletedDevicesPage'), 'DeletedDevicesPage'),
  '/device-members/manager': page(() => import('@/features/deviceMembers/ManagerPage'), 'ManagerPage'),
  '/maintenance/calendar': page(() => import('@/features/maintenance/CalendarPage'), 'CalendarPage'),
  '/maintenance/costs': page(() => import('@/features/maintenance/CostsPage'), 'CostsPage'),
  '/position-rejections': page(() => import('@/features/rejections/RejectionsPage'), 'RejectionsPage'),
  '/thresholds': page(() => import('@/features/thresholds/ThresholdsPage'), 'ThresholdsPage'),
  '/jobs': page(() => import('@/features/jobs/JobsPage'), 'JobsPage'),
  '/account': page(() => import('@/features/account/AccountPage'), 'AccountPage'),
};

/** One thing of a resource. */
function resourcePage(key: ResourceKey): LazyRoute {
  return page(async () => {
    const [{ ResourcePage }, { loadResource }] = await Promise.all([
      import('@/resource/ResourcePage'),
      import('@/resource/loadResource'),
    ]);
    const resource = await loadResource(key);
    return { One: () => <ResourcePage key={key} resource={resource} /> };
  }, 'One');
}

const DETAILS: Record<(typeof DETAIL_PATHS)[number], LazyRoute> = {
  '/roles/:id': page(() => import('@/features/roles/RolePage'), 'RolePage'),
  '/devices/:id': resourcePage('devices'),
};

/** The lists of all resources. */
const RESOURCE_ROUTES: RouteObject[] = RESOURCE_ENTRIES.map(([key, { path }]) => ({
  path,
  ...page(async () => {
    const [{ ResourceListPage }, { loadResource }] = await Promise.all([
      import('@/resource/ResourceListPage'),
      import('@/resource/loadResource'),
    ]);
    const resource = await loadResource(key);
    return { List: () => <ResourceListPage key={key} resource={resource} /> };
  }, 'List'),
}));

/** The component page, in development builds and in that of the tests. */
const DEVELOPMENT: RouteObject[] = __COMPONENT_PAGE__
  ? [{ path: '/dev/components', ...page(() => import('@/dev/ComponentsPage'), 'ComponentsPage') }]
  : [];

/** Every address of the console. Each screen is loaded when it is first visited. */
const routes: RouteObject[] = [
  {
    errorElement: <RouteError />,
    hydrateFallbackElement: <LoadingBar />,
    children: [
      ...PUBLIC_PATHS.map((path) => ({ path, ...PUBLIC[path] })),
      ...DEVELOPMENT,
      {
        element: <RequireSession />,
        children: [
          {
            ...page(() => import('./shell/Shell'), 'Shell'),
            children: [
              {
                errorElement: <RouteError />,
                children: [
                  ...OWN_PATHS.map((path) => ({ path, ...SCREENS[path] })),
                  ...RESOURCE_ROUTES,
                  ...DETAIL_PATHS.map((path) => ({ path, ...DETAILS[path] })),
                  { path: '*', ...page(() => import('./NotFoundPage'), 'NotFoundPage') },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
];

/** The router of the page. */
export const createRouter = () => createBrowserRouter(routes);
