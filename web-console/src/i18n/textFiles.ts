import type { Namespace, TextFile, TextFiles } from './i18n';

/** All texts of the console. The page of share links names its own: the list of all is more than its texts. */
export const TEXT_FILES: TextFiles = import.meta.glob<TextFile>('../locales/*/*.json');

/** All there are. */
export const NAMESPACES = [
  ...new Set(Object.keys(TEXT_FILES).map((path) => path.replace(/^.*\/|\.json$/g, ''))),
] as Namespace[];
