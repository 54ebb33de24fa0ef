/** When to ask again for code that did not come. */
const RETRY_MS = 2_000;

/** Code of the page itself, without which there is nothing to show. */
export async function loaded<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** The console itself, which those need who are signed in. */
export const loadConsole = () => loaded(() => import('./console'));
