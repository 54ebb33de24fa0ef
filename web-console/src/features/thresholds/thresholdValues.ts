import * as z from 'zod/mini';
import type { TenantThresholds } from '@/api/generated';
import { RULES } from '@/api/generatedRules';
import { THRESHOLDS, type Threshold } from '@/lib/thresholds';
import type { Values } from '@/resource/defineResource';

/** What stands in the form; a number that was deleted is an empty text. */
export type ThresholdInputs = Record<Threshold, number | ''>;

/** What is wrong with a field. */
export type Wrong = 'range' | 'belowStale';

/** The least and the most that the server takes. */
export const rangeOf = (name: Threshold): { min: number; max: number } => RULES.TenantThresholdsInput[name];

/** As they stand in the form. */
export const valuesOf = (thresholds: TenantThresholds): ThresholdInputs =>
  Object.fromEntries(THRESHOLDS.map((name) => [name, thresholds[name]])) as ThresholdInputs;

/** What was changed. */
export const changedOf = (values: ThresholdInputs, base: TenantThresholds): Partial<Record<Threshold, number>> =>
  Object.fromEntries(
    THRESHOLDS.flatMap((name) => {
      const value = values[name];
      return value === '' || value === base[name] ? [] : [[name, value]];
    }),
  );

function wrongOf(name: Threshold, values: ThresholdInputs): Wrong | undefined {
  const value = values[name];
  const { min, max } = rangeOf(name);
  if (value === '' || !Number.isInteger(value) || value < min || value > max) return 'range';
  // No vehicle is offline before its position is old.
  const { stale_seconds: stale } = values;
  return name === 'offline_seconds' && stale !== '' && value < stale ? 'belowStale' : undefined;
}

/** What may be typed. */
export const thresholdsSchema = z.looseObject({}).check(
  z.superRefine((values: Values, context) => {
    for (const name of THRESHOLDS) {
      const message = wrongOf(name, values as ThresholdInputs);
      if (message) context.addIssue({ code: 'custom', path: [name], message, input: values[name] });
    }
  }),
) as unknown as z.ZodMiniType<ThresholdInputs, ThresholdInputs>;
