import { z } from 'zod';
import { useEntityForm } from '@/lib/useEntityForm';
import type { MutationResult } from '@/lib/mutationResult';
import { LONG_NAME } from './samples';

const schema = z.object({
  name: z.string().trim().min(1, 'validation.required'),
  imei: z.string().regex(/^\d{15}$/, 'validation.imei'),
  note: z.string(),
  password: z.string(),
  limit: z.number('validation.seconds').min(0, 'validation.seconds'),
  status: z.enum(['active', 'inactive']),
  owner: z.string(),
  alarms: z.boolean(),
});

type Values = z.infer<typeof schema>;

const FILLED: Values = {
  name: LONG_NAME,
  imei: '356938035643809',
  note: 'Dipakai bergantian oleh dua sopir.\nServis tiap 10.000 km.',
  password: '',
  limit: 1800,
  status: 'active',
  owner: '',
  alarms: true,
};

/** What the stand-in for a server answers. */
export type Outcome = 'saved' | 'refused' | 'never';

const ANSWERS: Record<Outcome, () => Promise<MutationResult<null>>> = {
  saved: () => Promise.resolve({ data: null }),
  refused: () =>
    Promise.resolve({
      error: {
        status: 409,
        message: 'IMEI sudah dipakai.',
        payload: { fields: { imei: 'Sudah dipakai perangkat lain.', quota: 'Batas perangkat tenant sudah tercapai.' } },
      },
    }),
  never: () => new Promise(() => undefined),
};

interface SampleOptions {
  outcome: Outcome;
  values?: Partial<Values>;
  readOnly?: boolean;
  asks?: boolean;
  onSaved?: () => void;
}

/** A form of one of each kind of field, with a stand-in for the server. */
export function useSampleForm({ outcome, values, readOnly, asks, onSaved }: SampleOptions) {
  return useEntityForm<null, Values>({
    schema,
    values: { ...FILLED, ...values },
    namespace: 'devices',
    failure: 'Gagal menyimpan perangkat.',
    send: ANSWERS[outcome],
    onSaved: () => onSaved?.(),
    question: asks
      ? { title: `Ubah ${LONG_NAME}?`, text: 'Perubahan langsung berlaku bagi semua yang melihatnya.' }
      : undefined,
    readOnly,
  });
}

/** That form. */
export type SampleForm = ReturnType<typeof useSampleForm>;
