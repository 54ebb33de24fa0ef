import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import type { Granted } from '@/api/signIn';
import { SignIn } from '@/features/auth/SignIn';
import { onDeviceWake } from '@/lib/wake';
import { RETURN_PARAM, safeReturnPath } from '@/session/returnTo';
import { TOKEN_KEY, loadSession } from '@/session/sessionStorage';
import { LoadingBar } from './LoadingBar';
import { loadConsole } from './loadConsole';
import { ThemeProvider } from './ThemeProvider';

/** What came of the provider's sign-in, as the address says; it is said once and does not stay there. */
function takeProviderError(search: URLSearchParams): string | null {
  const code = search.get('error');
  search.delete('error');
  const rest = search.toString();
  if (code !== null) window.history.replaceState(null, '', window.location.pathname + (rest && `?${rest}`));
  return code;
}

/** Tells when another tab has signed in, also one that did so while this one was frozen. Returns what stops it. */
function onSignedInElsewhere(then: () => void): () => void {
  const look = () => {
    if (loadSession().token) then();
  };
  const onStorage = ({ key }: StorageEvent) => {
    if (key === TOKEN_KEY) look();
  };
  window.addEventListener('storage', onStorage);
  const stopListening = onDeviceWake(look);
  return () => {
    window.removeEventListener('storage', onStorage);
    stopListening();
  };
}

/** Shows the sign-in, and in its place the console once somebody is in. */
export function start(root: HTMLElement): void {
  const search = new URLSearchParams(window.location.search);
  const next = safeReturnPath(search.get(RETURN_PARAM));
  const refusal = takeProviderError(search);
  const page = createRoot(root);
  let left = false;
  const leave = async (granted?: Granted) => {
    if (left) return;
    left = true;
    stopListening();
    const console = await loadConsole();
    window.history.replaceState(null, '', next);
    page.unmount();
    await console.start(root, granted);
  };
  const stopListening = onSignedInElsewhere(() => void leave());
  page.render(
    <StrictMode>
      <ThemeProvider>
        <Suspense fallback={<LoadingBar />}>
          <SignIn next={next} refusal={refusal} onSignedIn={leave} />
        </Suspense>
      </ThemeProvider>
    </StrictMode>,
  );
  // While somebody types there is time for what they will need.
  void loadConsole();
}
