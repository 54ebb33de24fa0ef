import { useSyncExternalStore } from 'react';
import type { Scheme } from '@/theme/tokens';

const night = () => matchMedia('(prefers-color-scheme: dark)');
const ATTRIBUTE = 'data-mantine-color-scheme';

/** What somebody has chosen in the console of this browser; others go by their system. */
function chosen(): string | null {
  try {
    return localStorage.getItem('color_scheme');
  } catch {
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  const media = night();
  const follow = () => {
    const own = chosen();
    if (own !== 'light' && own !== 'dark')
      document.documentElement.setAttribute(ATTRIBUTE, media.matches ? 'dark' : 'light');
    listener();
  };
  media.addEventListener('change', follow);
  return () => media.removeEventListener('change', follow);
}

const current = (): Scheme => (document.documentElement.getAttribute(ATTRIBUTE) === 'dark' ? 'dark' : 'light');

/** Light or dark, as `public/color-scheme.js` has begun and the system goes on. */
export const useScheme = (): Scheme => useSyncExternalStore(subscribe, current);
