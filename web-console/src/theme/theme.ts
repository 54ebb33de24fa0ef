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
import { colorVariables, type Scheme } from './tokens';

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
      Badge: { styles: { root: { textTransform: 'none', fontSize: '0.75rem', fontWeight: 600 } } },
      CloseButton: { defaultProps: { 'aria-label': labels.close } },
      Drawer: {
        defaultProps: { ...dialog, padding: 'lg' },
        styles: { title: { fontWeight: 600, fontSize: 'var(--mantine-font-size-lg)' } },
      },
      // The list behind a drawer stays readable; a question wants an answer first.
      DrawerOverlay: { defaultProps: { backgroundOpacity: 0.28 } },
      ModalOverlay: { defaultProps: { backgroundOpacity: 0.45 } },
      // What helps stands below what it helps with.
      InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
      // One face for everything; keys are told by their frame.
      Kbd: { styles: { root: { fontFamily: 'inherit', fontSize: '0.75rem', fontWeight: 500 } } },
      Modal: { defaultProps: { ...dialog, centered: true }, styles: { title: { fontWeight: 600 } } },
      Pagination: { defaultProps: { getControlProps: pageLabels(labels) } },
      PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': labels.togglePassword } } },
      Select: { defaultProps: { clearButtonProps: { 'aria-label': labels.clear } } },
      Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 120 } } },
    },
  });
}

const schemeVariables = (scheme: Scheme): Record<string, string> => {
  const colors = colorVariables(scheme);
  return {
    ...colors,
    '--mantine-color-body': colors['--armada-surface'] ?? '',
    '--mantine-color-text': colors['--armada-text'] ?? '',
    '--mantine-color-dimmed': colors['--armada-text-dimmed'] ?? '',
    '--mantine-color-default': colors['--armada-surface-raised'] ?? '',
    '--mantine-color-default-hover': colors['--armada-surface-hover'] ?? '',
    '--mantine-color-default-border': colors['--armada-field-border'] ?? '',
    '--mantine-color-placeholder': scheme === 'light' ? '#667480' : '#8b99a3',
    '--mantine-color-error': colors['--armada-error'] ?? '',
  };
};

/** Mantine's own light buttons are darker than what they stand on, as if they were not to be pressed. */
const DARK_BUTTONS: Record<string, string> = {
  '--mantine-color-brand-light': 'rgb(67 188 191 / 16%)',
  '--mantine-color-brand-light-hover': 'rgb(67 188 191 / 24%)',
  '--mantine-color-brand-light-color': brand[3],
};

const armadaVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: schemeVariables('light'),
  dark: { ...schemeVariables('dark'), ...DARK_BUTTONS },
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
