import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** Address of a path of the backend. */
export const at = (path: string) => new URL(path, window.location.origin).href;

/**
 * Stands in for the backend. A call that no test expects is an error, but for what every sign-in page, every list, every
 * place and every preference asks, and what the console asks by itself after a refusal.
 */
export const server = setupServer(
  http.get(at('/auth/options'), () => HttpResponse.json({ registration: true, mail: true })),
  http.get(at('/api/v1/saved-views'), () => HttpResponse.json({ items: [] })),
  http.get(at('/api/v1/account/preferences/:key'), ({ params }) => HttpResponse.json({ key: params.key })),
  http.get(at('/api/v1/jobs'), () => HttpResponse.json({ items: [] })),
  http.post(at('/api/v1/addresses'), () => HttpResponse.json({ items: [], configured: false })),
  http.get(at('/api/v1/auth/me'), () => HttpResponse.json({ error: 'unavailable' }, { status: 503 })),
);

/** Starts the stand-in for the tests of a file. */
export function setUpTestServer(): void {
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());
}
