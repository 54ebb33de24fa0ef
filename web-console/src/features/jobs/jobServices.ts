import { SERVICES } from '@/resource/jobs';
import { mayDo, RESOURCE_ENTRIES } from '@/resource/registry';
import type { Person } from '@/session/claims';

/** A service with jobs of its own. */
export type JobService = (typeof SERVICES)[number];

/** What is done to many things at once changes them. */
const CHANGES = ['create', 'update', 'delete'];

/** The services whose jobs somebody can have begun: those with something that they may change. */
export const servicesOf = (person: Person | null): JobService[] =>
  SERVICES.filter((service) =>
    RESOURCE_ENTRIES.some(
      ([key, entry]) => entry.service === service && CHANGES.some((act) => mayDo(key, act, person)),
    ),
  );
