import type { ComponentType } from 'react';
import { Navigate, createBrowserRouter, type RouteObject } from 'react-router';
import { LoadingBar } from './LoadingBar';
import { RequireSession } from './RequireSession';
import { RouteError } from './RouteError';

const page = <K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) => ({
  lazy: async () => ({ Component: (await load())[name] }),
});

/** Every address of the console. Each screen is loaded when it is first visited. */
export const routes: RouteObject[] = [
  {
    errorElement: <RouteError />,
    hydrateFallbackElement: <LoadingBar />,
    children: [
      { path: '/auth/login', ...page(() => import('@/features/auth/LoginPage'), 'LoginPage') },
      {
        element: <RequireSession />,
        children: [
          {
            ...page(() => import('./shell/Shell'), 'Shell'),
            children: [
              {
                errorElement: <RouteError />,
                children: [
                  { index: true, element: <Navigate to="/maps" replace /> },
                  { path: '/maps', ...page(() => import('@/features/maps/MapsPage'), 'MapsPage') },
                  { path: '/devices', ...page(() => import('@/features/devices/DevicesPage'), 'DevicesPage') },
                  { path: '/users', ...page(() => import('@/features/users/UsersPage'), 'UsersPage') },
                  { path: '/tenants', ...page(() => import('@/features/tenants/TenantsPage'), 'TenantsPage') },
                  {
                    path: '/position-rejections',
                    ...page(() => import('@/features/rejections/RejectionsPage'), 'RejectionsPage'),
                  },
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
