import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import type { Arguments } from './commandKinds';

/** Puts a command into words, with what it needs: "Position every 30 s". */
export function useCommandText(): (command: Arguments) => string {
  const { t } = useTranslation('commands');
  const formats = useFormats();
  return ({ kind = 'unspecified', interval_seconds: seconds = 0, output = 0, output_on: on, text }) => {
    const name = t(`kind.${kind}` as 'kind.reboot');
    if (kind === 'position_periodic') return t('with.interval', { name, seconds: formats.number(seconds) });
    if (kind === 'output_control')
      return t(on ? 'with.outputOn' : 'with.outputOff', { output: formats.number(output) });
    return kind === 'custom' ? t('with.text', { name, text }) : name;
  };
}
