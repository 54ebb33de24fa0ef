import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { selectTimeZone } from '@/session/sessionSlice';
import { formatsFor, type Formats } from './format';

/** The formats of the language on the screen, with times as the tenant's clocks show them. */
export function useFormats(): Formats {
  const { i18n } = useTranslation();
  return formatsFor(i18n.language, useSelector(selectTimeZone));
}
