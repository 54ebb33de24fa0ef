import { useSelector } from 'react-redux';
import type { MasterDataEntry } from '@/api/generated';
import { useOneQuery } from '@/resource/calls';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';

/** What the master data says of a tracker, to those who may read it. */
export function useTracker(modelId: string | undefined, protocolId?: string) {
  const mayRead = mayDo('master-data', 'list', useSelector(selectPerson));
  const { currentData: model } = useOneQuery<MasterDataEntry>('master-data', (mayRead && modelId) || null);
  const { currentData: protocol } = useOneQuery<MasterDataEntry>('master-data', (mayRead && protocolId) || null);
  // Of a model its own port is said only where it differs from the usual one of its protocol.
  return { model, protocol, port: model?.port || protocol?.port || undefined };
}
