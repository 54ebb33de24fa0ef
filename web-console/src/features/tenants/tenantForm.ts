import { z } from 'zod';
import type { TenantInput } from '@/api/generated';
import type { Tenant } from '@/api/types';
import { toMajor, toMinor } from '@/lib/money';
import { isTaxNumber } from '@/lib/taxNumber';
import { omitUnshownFields } from '@/lib/omitUnshownFields';
import { BILLING_PERIODS, COST_MODELS, SUBSCRIPTION_STATUSES } from './tenantList';

/** Messages of the form are keys of texts, because the language may change while it is open. */
const TOO_LONG = 'validation.tooLong';
const AMOUNT = 'validation.amount';
const LIMIT = 'validation.limit';
const BILLING_DAY = 'validation.billingDay';
const DUE_DAY = 'validation.dueDay';

/** In the smallest unit of every currency these are numbers that are still counted exactly. */
const AMOUNT_MAX = 9e12;
const LIMIT_MAX = 1_000_000;

const amount = z.number(AMOUNT).min(0, AMOUNT).max(AMOUNT_MAX, 'validation.tooLarge');
const limit = z.number(LIMIT).int(LIMIT).min(0, LIMIT).max(LIMIT_MAX, 'validation.tooLarge');

/** What may be typed about a tenant; amounts are in whole units of the currency. */
export const tenantSchema = z.object({
  name: z.string().trim().min(1, 'validation.name').max(200, TOO_LONG),
  description: z.string().trim().max(2000, TOO_LONG),
  tax_number: z.string().refine(isTaxNumber, 'validation.taxNumber'),
  time_zone: z.string().min(1, 'validation.timeZone'),
  active: z.boolean(),
  confirmed: z.boolean(),
  subscription_status: z.enum(SUBSCRIPTION_STATUSES),
  cost_model: z.enum(COST_MODELS),
  currency: z.string().min(1, 'validation.currency'),
  cost_per_device: amount,
  cost_bundle: amount,
  billing_period: z.enum(BILLING_PERIODS),
  billing_day: z.number(BILLING_DAY).int(BILLING_DAY).min(1, BILLING_DAY).max(28, BILLING_DAY),
  due_day: z.number(DUE_DAY).int(DUE_DAY).min(0, DUE_DAY).max(90, DUE_DAY),
  device_limit: limit,
  user_limit: limit,
});

/** A tenant as it stands in the form. */
export type TenantValues = z.infer<typeof tenantSchema>;

/** A new tenant, or the one given. */
export function tenantValues(tenant: Tenant | undefined): TenantValues {
  const currency = tenant?.currency || 'IDR';
  const cost = (minor: number | undefined) => toMajor(minor ?? 0, currency);
  return {
    name: tenant?.name ?? '',
    description: tenant?.description ?? '',
    tax_number: tenant?.tax_number ?? '',
    time_zone: tenant?.time_zone || 'Asia/Jakarta',
    active: tenant?.active ?? true,
    confirmed: tenant?.confirmed ?? true,
    subscription_status: known(SUBSCRIPTION_STATUSES, tenant?.subscription_status) ?? 'active',
    cost_model: known(COST_MODELS, tenant?.cost_model) ?? 'free',
    currency,
    cost_per_device: cost(tenant?.cost_per_device),
    cost_bundle: cost(tenant?.cost_bundle),
    billing_period: known(BILLING_PERIODS, tenant?.billing_period) ?? 'monthly',
    billing_day: tenant?.billing_day || 1,
    due_day: tenant?.due_day ?? 14,
    device_limit: tenant?.device_limit ?? 0,
    user_limit: tenant?.user_limit ?? 0,
  };
}

const known = <T extends string>(all: readonly T[], value: string | undefined) => all.find((each) => each === value);

/** What is sent of a new tenant, or of a change of the present one. */
export function tenantInput(values: TenantValues, present: Tenant | undefined): TenantInput {
  const minor = (major: number) => toMinor(major, values.currency);
  const input = { ...values, cost_per_device: minor(values.cost_per_device), cost_bundle: minor(values.cost_bundle) };
  if (!present) return input;
  return omitUnshownFields(input, present, tenantValues(present), [
    'subscription_status',
    'cost_model',
    'billing_period',
  ]);
}

const INDONESIAN_ZONES = ['Asia/Jakarta', 'Asia/Pontianak', 'Asia/Makassar', 'Asia/Jayapura'];

/** Time zones to choose from, Indonesia's first. */
export function timeZones(present: string): string[] {
  return [...new Set([...INDONESIAN_ZONES, present, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].filter(Boolean);
}

const NEAR_CURRENCIES = ['IDR', 'USD', 'SGD', 'MYR', 'CNY', 'AUD', 'EUR'];

/** Currencies to choose from, those of the neighbourhood first, with their names in a language. */
export function currencies(present: string, language: string): { value: string; label: string }[] {
  // Browsers have no names in Javanese.
  const names = new Intl.DisplayNames(language === 'jv' ? 'id' : language, { type: 'currency' });
  const english = new Intl.DisplayNames('en', { type: 'currency' });
  // What is not paid in any more has its years in its name.
  const living = Intl.supportedValuesOf('currency').filter((code) => !/\(\d{4}/.test(english.of(code) ?? ''));
  const codes = [...new Set([...NEAR_CURRENCIES, present, ...living])].filter(Boolean);
  return codes.map((code) => ({ value: code, label: `${code} – ${names.of(code) ?? code}` }));
}
