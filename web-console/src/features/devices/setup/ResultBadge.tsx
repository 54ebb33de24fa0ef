import { useTranslation } from 'react-i18next';
import { StatusBadge, type StatusTone } from '@/components/StatusBadge';
import type { Result } from './tests';

const TONES: Record<Result | 'unheard', StatusTone> = {
  passed: 'positive',
  differs: 'negative',
  skipped: 'neutral',
  open: 'info',
  unheard: 'warning',
};

/** What became of a test, in a word. */
export function ResultBadge({ result }: { result: keyof typeof TONES }) {
  const { t } = useTranslation('setup');
  return <StatusBadge tone={TONES[result]}>{t(`result.${result}`)}</StatusBadge>;
}
