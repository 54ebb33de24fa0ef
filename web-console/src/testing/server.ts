import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** Stands in for the backend. A call that no test expects is an error. */
export const server = setupServer();

/** Address of a path of the backend. */
export const at = (path: string) => new URL(path, window.location.origin).href;

/** Starts the stand-in for the tests of a file. */
export function serveTests(): void {
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());
}
