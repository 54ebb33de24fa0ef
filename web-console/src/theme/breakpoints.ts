import { useMediaQuery } from '@mantine/hooks';

/** From which widths on a screen counts as larger. Style sheets repeat them: a media query takes no variables. */
export const BREAKPOINTS = { xs: '30em', sm: '48em', md: '64em', lg: '75em', xl: '90em' } as const;

/** Just below `sm`, which belongs to larger screens. */
const PHONE = '(max-width: 47.99em)';
const DESKTOP = `(min-width: ${BREAKPOINTS.md})`;

// Asked before the first drawing, so that nothing jumps after it.
const AT_ONCE = { getInitialValueInEffect: false };

/** Whether the window is as narrow as a phone's. */
export const useIsPhone = (): boolean => useMediaQuery(PHONE, undefined, AT_ONCE) ?? false;

/** Whether the sidebar has room beside the screen. */
export const useIsDesktop = (): boolean => useMediaQuery(DESKTOP, undefined, AT_ONCE) ?? true;
