import { useTranslation } from 'react-i18next';
import { formatsFor, type Formats } from './format';

/** The formats of the language on the screen. */
export function useFormats(): Formats {
  const { i18n } = useTranslation();
  return formatsFor(i18n.language);
}
