import {
  DEFAULT_THEME,
  convertCssVariables,
  createTheme,
  defaultCssVariablesResolver,
  mergeMantineTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';
import { BREAKPOINTS } from './breakpoints';
import { MAP_COLORS, VEHICLE_COLORS, type Scheme } from './tokens';

/** The brand: a deep teal, for action and selection only. */
const brand: MantineColorsTuple = [
  '#e6fafa',
  '#cdeff0',
  '#9fdfe0',
  '#6ccdcf',
  '#43bcbf',
  '#24a3a7',
  '#128a8f',
  '#0b7479',
  '#0b5f63',
  '#064649',
];

/** Neutrals of the dark scheme, a little towards the brand's hue. */
const dark: MantineColorsTuple = [
  '#e6ebee',
  '#c3ccd2',
  '#a0adb7',
  '#7d8b96',
  '#46545e',
  '#2e3a42',
  '#1f2930',
  '#171e23',
  '#11171b',
  '#0d1317',
];

/** Labels that assistive technology reads on Mantine's own buttons. */
export interface ControlLabels {
  close: string;
  togglePassword: string;
  clear: string;
  previousPage: string;
  nextPage: string;
}

const pageLabels = (labels: ControlLabels) => (control: 'first' | 'previous' | 'last' | 'next') => ({
  'aria-label': control === 'next' || control === 'last' ? labels.nextPage : labels.previousPage,
});

/** The theme, with the names of controls in the language of the screen. */
export function createArmadaTheme(labels: ControlLabels): MantineThemeOverride {
  const dialog = {
    // The shell scrolls inside itself, so there is no page scroll to lock; locking would inject a style element, which
    // the content security policy forbids.
    lockScroll: false,
    closeButtonProps: { 'aria-label': labels.close },
    // A page has one banner, and that is the shell's header.
    attributes: { header: { role: 'none' } },
  };
  return createTheme({
    primaryColor: 'brand',
    colors: { brand, dark },
    // Mantine chooses one text colour on the brand for both schemes, so both shades must carry white.
    primaryShade: { light: 8, dark: 7 },
    autoContrast: true,
    luminanceThreshold: 0.36,
    defaultRadius: 'md',
    cursorType: 'pointer',
    respectReducedMotion: true,
    fontFamily: "'Inter Variable', 'Noto Sans SC', 'Noto Sans CJK SC', system-ui, sans-serif",
    fontFamilyMonospace: "ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace",
    fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
    // 2, 4, 8, 12, 16, 24 and 32 pixels: --mantine-spacing-3xs to --mantine-spacing-xl in style sheets.
    spacing: {
      '3xs': '0.125rem',
      '2xs': '0.25rem',
      xs: '0.5rem',
      sm: '0.75rem',
      md: '1rem',
      lg: '1.5rem',
      xl: '2rem',
    },
    radius: { xs: '0.125rem', sm: '0.25rem', md: '0.5rem', lg: '0.75rem', xl: '1rem' },
    breakpoints: BREAKPOINTS,
    headings: {
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '1.25rem', lineHeight: '1.4' },
        h2: { fontSize: '1rem', lineHeight: '1.5' },
        h3: { fontSize: '0.875rem', lineHeight: '1.5' },
      },
    },
    // Plain objects instead of Mantine's `extend`, which does nothing but would bring every component named here into
    // the sign-in page.
    components: {
      ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'lg' } },
      Badge: { styles: { root: { textTransform: 'none', fontWeight: 600 } } },
      CloseButton: { defaultProps: { 'aria-label': labels.close } },
      Drawer: {
        defaultProps: { ...dialog, padding: 'lg' },
        styles: { title: { fontWeight: 600, fontSize: 'var(--mantine-font-size-lg)' } },
      },
      // One face for everything; keys are told by their frame.
      Kbd: { styles: { root: { fontFamily: 'inherit', fontWeight: 500 } } },
      Modal: { defaultProps: { ...dialog, centered: true }, styles: { title: { fontWeight: 600 } } },
      Pagination: { defaultProps: { getControlProps: pageLabels(labels) } },
      PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': labels.togglePassword } } },
      Select: { defaultProps: { clearButtonProps: { 'aria-label': labels.clear } } },
      Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 120 } } },
    },
  });
}

const schemeVariables = (scheme: Scheme): Record<string, string> => {
  const surface: Record<string, string> =
    scheme === 'light'
      ? {
          '--armada-surface': '#ffffff',
          '--armada-surface-raised': '#ffffff',
          '--armada-surface-sunken': '#f4f6f7',
          '--armada-surface-hover': '#eef2f3',
          '--armada-surface-selected': '#dff1f1',
          '--armada-border': '#dde3e6',
          '--armada-text': '#172026',
          '--armada-text-dimmed': '#55626c',
          '--armada-brand-text': '#0b5f63',
          '--armada-shadow': '0 6px 24px rgb(16 32 40 / 16%)',
        }
      : {
          '--armada-surface': '#171e23',
          '--armada-surface-raised': '#1d262c',
          '--armada-surface-sunken': '#11171b',
          '--armada-surface-hover': '#222d34',
          '--armada-surface-selected': '#163a3c',
          '--armada-border': '#2e3a42',
          '--armada-text': '#e6ebee',
          '--armada-text-dimmed': '#a0adb7',
          '--armada-brand-text': '#6ccdcf',
          '--armada-shadow': '0 6px 24px rgb(0 0 0 / 50%)',
        };
  const states = Object.entries(VEHICLE_COLORS[scheme]).map(([state, color]) => [
    `--armada-state-${state.replace('_', '-')}`,
    color,
  ]);
  return {
    ...surface,
    ...Object.fromEntries(states),
    '--armada-map-water': MAP_COLORS[scheme].water,
    '--mantine-color-body': surface['--armada-surface'] ?? '',
    '--mantine-color-text': surface['--armada-text'] ?? '',
    '--mantine-color-dimmed': surface['--armada-text-dimmed'] ?? '',
    '--mantine-color-default': surface['--armada-surface-raised'] ?? '',
    '--mantine-color-default-hover': surface['--armada-surface-hover'] ?? '',
    '--mantine-color-default-border': scheme === 'light' ? '#b9c3c9' : '#46545e',
    '--mantine-color-placeholder': scheme === 'light' ? '#667480' : '#8b99a3',
    '--mantine-color-error': scheme === 'light' ? '#c01c1c' : '#ff8f87',
  };
};

const armadaVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: schemeVariables('light'),
  dark: schemeVariables('dark'),
});

/**
 * Puts the theme's CSS variables on the page as a constructed style sheet. Mantine would write a `<style>` element, which
 * a policy without `unsafe-inline` refuses.
 */
export function installThemeVariables(override: MantineThemeOverride): void {
  if (typeof CSSStyleSheet === 'undefined' || !('replaceSync' in CSSStyleSheet.prototype)) return;
  const theme = mergeMantineTheme(DEFAULT_THEME, override);
  const base = defaultCssVariablesResolver(theme);
  const own = armadaVariables(theme);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    convertCssVariables({
      variables: { ...base.variables, ...own.variables },
      light: { '--mantine-color-scheme': 'light', ...base.light, ...own.light },
      dark: { '--mantine-color-scheme': 'dark', ...base.dark, ...own.dark },
    }),
  );
  document.adoptedStyleSheets = [sheet];
}
