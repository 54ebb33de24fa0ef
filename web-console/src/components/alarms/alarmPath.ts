import { REGISTRY } from '@/resource/registry';

/** All of them. */
export const ALARMS_PATH = REGISTRY.alarms.path;
/** One of them, beside the list. */
export const alarmPath = (id: string): string => `${ALARMS_PATH}?open=${encodeURIComponent(id)}`;
