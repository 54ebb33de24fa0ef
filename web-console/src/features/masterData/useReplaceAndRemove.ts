import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { useReplaceMasterDataEntryMutation } from '@/api/calls/masterData';
import type { MasterDataEntry } from '@/api/generated';
import { actErrorText } from '@/i18n/errorText';
import { toastSuccess } from '@/lib/toast';
import { changesOf } from '@/resource/calls';
import { useResourceTexts } from '@/resource/texts';

/** Puts another entry in the place of one wherever that is used, and deletes it then. */
export function useReplaceAndRemove(entry: MasterDataEntry, onDeleted: () => void) {
  const { t } = useTranslation('masterData');
  const { t: common } = useTranslation();
  const { t: resource } = useResourceTexts('master-data');
  const dispatch = useDispatch();
  const [replace] = useReplaceMasterDataEntryMutation();
  const [step, setStep] = useState<'replacing' | 'removing' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const fail = (failure: string, error: unknown) => {
    setStep(null);
    setProblem(`${failure} ${actErrorText(error, common)}`);
  };
  const run = async (replacementId: string) => {
    setProblem(null);
    setStep('replacing');
    // Done twice, the second time finds nothing to replace: so it may be tried again when only deleting has failed.
    const replaced = await replace({ id: entry.id, replaceMasterDataRequest: { replacement_id: replacementId } });
    if (replaced.error) return fail(t('usage.replaceFailed'), replaced.error);
    setStep('removing');
    const removed = await changesOf('master-data', dispatch).remove(entry.id, entry.row_version);
    if (removed.error) return fail(t('usage.removeFailed'), removed.error);
    toastSuccess(resource('deleted'));
    onDeleted();
  };
  return { run, step, problem };
}
