import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { render } from '@testing-library/react';
import { Suspense, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { createMemoryRouter, Outlet, RouterProvider, type InitialEntry, type RouteObject } from 'react-router';
import { UnsavedGuard } from '@/components/unsaved';
import { createStore, type Store } from '@/store';

/** What the shell gives every screen. */
const Frame = () => (
  <UnsavedGuard>
    <Outlet />
  </UnsavedGuard>
);

/**
 * Shows these routes as the shell would, without animations; without Mantine's style sheets as well, which jsdom would compute
 * for each element that a test asks for.
 */
export function renderRoutes(routes: RouteObject[], path: InitialEntry, store: Store = createStore()) {
  const router = createMemoryRouter([{ element: <Frame />, children: routes }], { initialEntries: [path] });
  const view = render(
    <Provider store={store}>
      <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
        <Notifications />
        <Suspense fallback={null}>
          <RouterProvider router={router} />
        </Suspense>
      </MantineProvider>
    </Provider>,
  );
  return { ...view, router, store };
}

/** Shows one element at a path. */
export const renderAt = (element: ReactNode, path: string, store?: Store) =>
  renderRoutes([{ path: '*', element }], path, store);
