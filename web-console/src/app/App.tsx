import { Suspense, type ComponentProps } from 'react';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router/dom';
import { LoadingBar } from './LoadingBar';
import type { Store } from '@/store';
import { ThemeProvider } from './ThemeProvider';

interface AppProps {
  store: Store;
  router: ComponentProps<typeof RouterProvider>['router'];
}

/** The console. */
export function App({ store, router }: AppProps) {
  return (
    <Provider store={store}>
      <ThemeProvider>
        <Suspense fallback={<LoadingBar />}>
          <RouterProvider router={router} />
        </Suspense>
      </ThemeProvider>
    </Provider>
  );
}
