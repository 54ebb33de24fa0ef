import { useTranslation } from 'react-i18next';
import type { Device } from '@/api/types';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useTotal } from '@/i18n/useTotal';
import type { Selection } from '@/lib/selection';
import { callsOf } from '@/resource/calls';
import { useBulkJob } from '@/resource/useBulkJob';

/** Brings the chosen devices back, as a job; of all that a search finds those that match when it begins. */
export function useRestoreMany(selection: Selection<Device>, q: string, total: number, more?: boolean) {
  const { t } = useTranslation('devices');
  const totalText = useTotal();
  const { opened, busy, problem, ask, close, start } = useBulkJob({
    path: callsOf('devices').path,
    selection,
    filter: { q, deleted: true },
    failure: t('trash.startFailed'),
  });
  const count = selection.count(total);
  return {
    ask,
    dialog: (
      <ConfirmDialog
        opened={opened}
        title={t('trash.confirmMany.title', { count, formatted: totalText(count, more && selection.everything) })}
        text={t('trash.confirmMany.text')}
        confirmLabel={t('trash.restore')}
        busy={busy}
        problem={problem}
        onCancel={close}
        onConfirm={() => void start({ restore: {} }, t('trash.restore'))}
      />
    ),
  };
}
