import { useMemo } from 'react';
import { useAddress } from '@/lib/address';

/** What comes after a device was made. */
export const LATER_STEPS = ['packet', 'test', 'done'] as const;
/** One of these. */
export type LaterStep = (typeof LATER_STEPS)[number];

/** What of the way stands in the address: whoever comes back to it goes on there. */
export function useSetupAddress() {
  const { search, change } = useAddress();
  return useMemo(
    () => ({
      deviceId: search.get('device_id') ?? '',
      like: search.get('like') ?? '',
      imei: search.get('imei') ?? '',
      tenantId: search.get('tenant_id') ?? '',
      step: LATER_STEPS.find((step) => step === search.get('step')) ?? 'packet',
      goTo: (step: LaterStep) => change((next) => next.set('step', step), 'push'),
    }),
    [search, change],
  );
}
