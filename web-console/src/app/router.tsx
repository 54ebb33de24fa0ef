import type { ComponentType } from 'react';
import { Navigate, createBrowserRouter, type RouteObject } from 'react-router';
import { ScreenNotLoaded } from '@/lib/screenNotLoaded';
import { LoadingBar } from './LoadingBar';
import { DETAIL_PATHS, PRINT_PATHS, PUBLIC_PATHS, SCREEN_PATHS, type ScreenPath } from './paths';
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
};

const SCREENS: Record<ScreenPath, LazyRoute> = {
  '/maps': page(() => import('@/features/maps/MapsPage'), 'MapsPage'),
  '/devices': page(() => import('@/features/devices/DevicesPage'), 'DevicesPage'),
  '/users': page(() => import('./UsersScreen'), 'UsersScreen'),
  '/tenants': page(() => import('@/features/tenants/TenantsPage'), 'TenantsPage'),
  '/roles': page(() => import('@/features/roles/RolesPage'), 'RolesPage'),
  '/roles/compare': page(() => import('@/features/roles/ComparePage'), 'ComparePage'),
  '/roles/permissions': page(() => import('@/features/roles/CataloguePage'), 'CataloguePage'),
  '/audit': page(() => import('@/features/audit/AuditPage'), 'AuditPage'),
  '/position-rejections': page(() => import('@/features/rejections/RejectionsPage'), 'RejectionsPage'),
  '/imei-claims': page(() => import('@/features/claims/ClaimsPage'), 'ClaimsPage'),
  '/imei-claims/assignments': page(() => import('@/features/claims/AssignmentsPage'), 'AssignmentsPage'),
  '/imei-claims/gateways': page(() => import('@/features/claims/GatewaysPage'), 'GatewaysPage'),
  '/account': page(() => import('@/features/account/AccountPage'), 'AccountPage'),
};

const DETAILS: Record<(typeof DETAIL_PATHS)[number], LazyRoute> = {
  '/roles/:id': page(() => import('@/features/roles/RolePage'), 'RolePage'),
};

const PRINTED: Record<(typeof PRINT_PATHS)[number], LazyRoute> = {
  '/print/devices': page(() => import('@/features/devices/DevicesPrintPage'), 'DevicesPrintPage'),
  '/print/users': page(() => import('@/features/users/UsersPrintPage'), 'UsersPrintPage'),
  '/print/tenants': page(() => import('@/features/tenants/TenantsPrintPage'), 'TenantsPrintPage'),
  '/print/audit': page(() => import('@/features/audit/AuditPrintPage'), 'AuditPrintPage'),
};

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
          ...PRINT_PATHS.map((path) => ({ path, ...PRINTED[path] })),
          {
            ...page(() => import('./shell/Shell'), 'Shell'),
            children: [
              {
                errorElement: <RouteError />,
                children: [
                  { index: true, element: <Navigate to="/maps" replace /> },
                  ...SCREEN_PATHS.map((path) => ({ path, ...SCREENS[path] })),
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
