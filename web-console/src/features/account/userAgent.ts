/** Names of browsers, those first that call themselves by others' names as well. */
const BROWSERS: [string, RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
];

const SYSTEMS: [string, RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

const named = (names: [string, RegExp][], userAgent: string) => names.find(([, sign]) => sign.test(userAgent))?.[0];

/** The browser and the system by which somebody recognises a session; undefined what the client does not tell. */
export function clientOf(userAgent: string): { browser: string | undefined; system: string | undefined } {
  return { browser: named(BROWSERS, userAgent), system: named(SYSTEMS, userAgent) };
}
