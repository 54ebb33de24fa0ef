import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { i18n, startI18n } from '@/i18n/i18n';
import { NAMESPACES, TEXT_FILES } from '@/i18n/textFiles';

declare global {
  interface ErrorConstructor {
    /** Node's: the stack begins above a function. */
    captureStackTrace(error: Error, above: unknown): void;
  }
}

/** The error of a look that finds nothing, or too much, as the library makes it, but without the page written out. */
function elementError(message: string | null): Error {
  const error = new Error(message ?? '');
  // By this name the library knows it, and then says where the test was that looked.
  error.name = 'TestingLibraryElementError';
  Error.captureStackTrace(error, elementError);
  return error;
}

configure({
  // A machine that builds something else at the same time is slow, not wrong.
  asyncUtilTimeout: 10_000,
  ...(import.meta.env.DEBUG_PRINT_LIMIT === '0' && { getElementError: elementError }),
});

// What Mantine asks of a browser and jsdom does not have.
window.matchMedia ??= (query: string) =>
  ({
    matches: false,
    media: query,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
    addListener: vi.fn(),
    removeListener: vi.fn(),
  }) as unknown as MediaQueryList;

window.ResizeObserver ??= class implements ResizeObserver {
  observe = vi.fn();
  unobserve = vi.fn();
  disconnect = vi.fn();
};
Element.prototype.scrollIntoView ??= () => undefined;
Element.prototype.animate ??= () => ({}) as Animation;
if (!('fonts' in document)) {
  const fonts = Object.assign(new EventTarget(), { ready: Promise.resolve(), load: () => Promise.resolve([]) });
  Object.defineProperty(document, 'fonts', { value: fonts, configurable: true });
}

// What a screen has planned for later, a toast for one, would find no page any more when its file has ended.
const planned: ReturnType<typeof setTimeout>[] = [];
const plan = globalThis.setTimeout;
globalThis.setTimeout = ((...call: Parameters<typeof plan>) => {
  const timer = plan(...call);
  planned.push(timer);
  return timer;
}) as typeof plan;
afterAll(() => planned.forEach((timer) => clearTimeout(timer)));

// jsdom counts its frames with one interval for the whole page: begun while a test fakes intervals, none would ever come again.
const { setTimeout: inAMoment, clearTimeout: forget } = globalThis;
window.requestAnimationFrame = (draw) => Number(inAMoment(() => draw(performance.now())));
window.cancelAnimationFrame = (frame) => forget(frame);

// A part that is still being loaded when its file ends would count as failed in all later files of the worker.
afterAll(() => vi.dynamicImportSettled());

beforeAll(async () => {
  localStorage.setItem('language', 'id');
  await startI18n(TEXT_FILES);
  await i18n.loadNamespaces(NAMESPACES);
});

afterEach(() => {
  cleanup();
  // The next file has the same page.
  document.body.replaceChildren();
  notifications.clean();
  localStorage.clear();
  sessionStorage.clear();
});
