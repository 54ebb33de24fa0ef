import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { masterDataApi } from '@/api/calls/masterData';
import type { MasterDataEntry, MasterDataUsage } from '@/api/generated';
import { actErrorText } from '@/i18n/errorText';
import { toastError } from '@/lib/toast';
import type { RemoveProps } from '@/resource/defineResource';
import { DangerButton, DeleteAction } from '@/resource/DeleteAction';
import { InUseDialog } from './InUseDialog';

/** Deletes an entry. What is in use has to be replaced first, so that is asked for before anything else. */
export function RemoveEntry(props: RemoveProps<MasterDataEntry>) {
  return <DeleteAction {...props}>{(ask) => <AskUsage {...props} ask={ask} />}</DeleteAction>;
}

function AskUsage({ row, onDeleted, ask }: RemoveProps<MasterDataEntry> & { ask: () => void }) {
  const { t } = useTranslation('masterData');
  const { t: common } = useTranslation();
  const [load, { isFetching }] = masterDataApi.useLazyGetMasterDataUsageQuery();
  const [usage, setUsage] = useState<MasterDataUsage | null>(null);
  const begin = async () => {
    if (isFetching) return;
    const { data, error } = await load({ id: row.id });
    if (!data) toastError(`${t('usage.failed')} ${actErrorText(error, common)}`);
    else if (data.devices + data.entries > 0) setUsage(data);
    else ask();
  };
  return (
    <>
      <DangerButton label={t('bulk.remove.label')} onClick={() => void begin()} />
      <span role="status" className="visually-hidden">
        {isFetching && t('usage.checking')}
      </span>
      {usage && <InUseDialog entry={row} usage={usage} onClose={() => setUsage(null)} onDeleted={onDeleted} />}
    </>
  );
}
