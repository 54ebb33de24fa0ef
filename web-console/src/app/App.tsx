import { Suspense } from 'react';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router/dom';
import { LoadingBar } from './LoadingBar';
import { createRouter } from './router';
import type { Store } from '@/store';
import { ThemeProvider } from './ThemeProvider';

const router = createRouter();

/** The console. */
export function App({ store }: { store: Store }) {
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
