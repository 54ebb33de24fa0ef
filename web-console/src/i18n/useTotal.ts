import { useTranslation } from 'react-i18next';
import { useFormats } from './useFormats';

/** How many there are, in words where the server has counted only so far. */
export function useTotal(): (total: number, more?: boolean) => string {
  const { t } = useTranslation('common');
  const formats = useFormats();
  return (total, more = false) =>
    more ? t('table.moreThan', { total: formats.number(total) }) : formats.number(total);
}
