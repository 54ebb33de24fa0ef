import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useLinkDevicesMutation } from '@/api/calls/deviceMembers';
import { direct, type Dispatch } from '@/api/direct';
import type { LinkDevicesReport, LinkDevicesRequest } from '@/api/generated';
import type { MutationResult } from '@/lib/mutationResult';
import { callsOf } from '@/resource/calls';

/** Only says what would come of a request: past the cache, since nothing that is shown gets old by it. */
const dryRun = (request: LinkDevicesRequest, signal: AbortSignal) =>
  direct<LinkDevicesReport>(
    { url: `${callsOf('device-members').path}/link`, method: 'POST', body: { ...request, dry_run: true } },
    signal,
  );

/** Links a user to devices and takes links away, or says what would come of it. */
export function useLinkDevices() {
  const dispatch = useDispatch<Dispatch>();
  const [send] = useLinkDevicesMutation();
  return {
    preview: async (request: LinkDevicesRequest) =>
      (await dispatch(dryRun(request, new AbortController().signal))) as MutationResult<LinkDevicesReport>,
    link: async (request: LinkDevicesRequest): Promise<MutationResult<LinkDevicesReport>> =>
      send({ linkDevicesRequest: request }),
  };
}

const TYPING_MS = 300;

/** What would come of a request that is still being put together; undefined until that is known. */
export function usePreview(request: LinkDevicesRequest | null): LinkDevicesReport | undefined {
  const dispatch = useDispatch<Dispatch>();
  const [found, setFound] = useState<{ of: string; report: LinkDevicesReport | undefined }>();
  const of = request ? JSON.stringify(request) : '';
  useEffect(() => {
    if (!of) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      void dispatch(dryRun(JSON.parse(of) as LinkDevicesRequest, abort.signal)).then(({ data }) => {
        if (!abort.signal.aborted) setFound({ of, report: data });
      });
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [of, dispatch]);
  return found?.of === of ? found.report : undefined;
}
