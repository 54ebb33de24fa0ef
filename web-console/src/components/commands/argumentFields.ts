import { flag, number } from '@/resource/fields';

/** What kinds of commands need, as fields of a form: each is asked for with its kind alone. */
export const argumentFields = <T>() => ({
  interval_seconds: number<T>({
    column: false,
    form: {
      only: { kind: 'position_periodic' },
      initial: 60,
      min: 1,
      max: 86_400,
      integer: true,
      unit: 'unit.seconds',
    },
  }),
  output: number<T>({
    column: false,
    form: { only: { kind: 'output_control' }, initial: 1, min: 1, max: 4, integer: true },
  }),
  output_on: flag<T>({ column: false, form: { only: { kind: 'output_control' }, initial: true } }),
});

/** Of a command in the tracker's own words. */
export const TEXT_FORM = { only: { kind: 'custom' }, required: true, multiline: true, maxLength: 1000 } as const;
