import { colorVariables, type Scheme } from './tokens';

const declarations = (scheme: Scheme) =>
  Object.entries(colorVariables(scheme))
    .map(([name, value]) => `${name}:${value};`)
    .join('');

/**
 * Puts the colours on a page that is made without Mantine, as a constructed style sheet: the content security policy
 * refuses a `<style>` element.
 */
export function installColors(): void {
  if (typeof CSSStyleSheet === 'undefined' || !('replaceSync' in CSSStyleSheet.prototype)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `:root{color-scheme:light;${declarations('light')}}` +
      `:root[data-mantine-color-scheme='dark']{color-scheme:dark;${declarations('dark')}}`,
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
