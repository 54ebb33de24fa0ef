import { Suspense, useEffect, useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { toastError } from './toast';

/** When to ask again for code that did not come. */
const RETRY_MS = 3_000;

/**
 * A part of a screen whose code is loaded when it is first shown. When that fails it is said, tried again, and missing until
 * then; the screen around it, and what was typed there, stay. `React.lazy` would take the whole screen away.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Part(props: P) {
    const { t } = useTranslation();
    const [Loaded, setLoaded] = useState(() => loaded);
    const [failures, setFailures] = useState(0);
    useEffect(() => {
      if (Loaded) return;
      let gone = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      load().then(
        (arrived) => {
          loaded = arrived;
          if (!gone) setLoaded(() => arrived);
        },
        () => {
          if (!gone) timer = setTimeout(() => setFailures(failures + 1), RETRY_MS);
        },
      );
      return () => {
        gone = true;
        clearTimeout(timer);
      };
    }, [Loaded, failures]);
    useEffect(() => {
      if (failures === 1) toastError(t('error.partNotLoaded'));
    }, [failures, t]);
    return (
      // What it waits for by itself, such as its texts, is not worth hiding the screen for.
      <Suspense fallback={null}>{Loaded && <Loaded {...props} />}</Suspense>
    );
  };
}
