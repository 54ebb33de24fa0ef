import { direct } from '@/api/direct';
import type { Maintenance } from '@/api/generated';
import type { MutationResult } from '@/lib/mutationResult';
import type { SendParts } from '@/resource/defineResource';
import { callsOf } from '@/resource/calls';
import { followJob, type Job } from '@/resource/jobs';

/** A maintenance of one vehicle, or the same for every vehicle of a group, which the server makes one after the other. */
export async function sendMaintenance(parts: SendParts<Maintenance>): Promise<MutationResult<Maintenance>> {
  const { values, input, base, calls, dispatch, t } = parts;
  if (base) return calls.update(base.id, base.row_version, input);
  if (values.target !== 'group') return calls.create(input);
  const { group_id, ...maintenance } = input;
  const call = direct<Job>(
    { url: `${callsOf('maintenance').path}/plan`, method: 'POST', body: { group_id, maintenance } },
    new AbortController().signal,
  );
  const { data: job, error } = await dispatch(call);
  if (!job) return { error };
  followJob({ service: job.service, id: job.id, label: t('planJob', { title: values.title }), job });
  // None of them is there yet.
  return { data: {} as Maintenance };
}
