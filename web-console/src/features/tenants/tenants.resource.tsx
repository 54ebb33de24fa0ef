import type { Tenant } from '@/api/types';
import { defineResource } from '@/resource/defineResource';
import { choice, flag, instant, money, number, text } from '@/resource/fields';
import { DeletedTenant } from './DeletedTenant';
import { DeviceShare, HistoryKept, TenantStatus, UserShare } from './tenantCells';
import { currencies, timeZones } from './tenantChoices';
import { tenantQuestion } from './tenantQuestion';

/** In the smallest unit of every currency this is a number that is still counted exactly. */
const AMOUNT_MAX = 9e12;
/** An NPWP, the tax number of an Indonesian company, as people write it: 15 or 16 digits. */
const TAX_NUMBER = '^[.\\- ]*(\\d[.\\- ]*){15,16}$';

/** The customers of the platform; for platform owners. */
export default defineResource<Tenant>({
  key: 'tenants',
  fields: {
    name: text({
      column: { fixed: true, width: 210 },
      form: { first: true },
    }),
    active: flag<Tenant>({
      column: { label: 'field.status', width: 170, phone: 'beside', Cell: TenantStatus },
      filter: { label: 'field.status' },
      form: { initial: true },
    }),
    only_deleted: choice({ values: ['true'], label: 'field.deleted', column: false, filter: { name: 'deleted' } }),
    subscription_status: choice({
      values: ['inactive', 'active', 'past_due', 'canceled'],
      tones: { inactive: 'neutral', active: 'positive', past_due: 'warning', canceled: 'negative' },
      column: { width: 150 },
      filter: { multiple: true },
      form: { initial: 'active' },
    }),
    cost_model: choice({
      values: ['free', 'per_device', 'bundle', 'paid'],
      column: { width: 140, phone: 'below' },
      filter: { multiple: true },
      form: { initial: 'free' },
    }),
    used_devices: number<Tenant>({
      column: {
        width: 150,
        phone: 'below',
        Cell: DeviceShare,
        file: ['used_devices', 'device_limit'],
      },
    }),
    used_users: number<Tenant>({ column: { width: 150, Cell: UserShare, file: ['used_users', 'user_limit'] } }),
    currency: choice({
      values: [],
      labels: currencies,
      searchable: true,
      column: { optional: true, width: 110 },
      form: { initial: 'IDR', required: true },
    }),
    cost_per_device: money({
      currency: 'currency',
      column: { optional: true, width: 160, file: ['cost_per_device', 'currency'] },
      form: { max: AMOUNT_MAX, integer: false },
    }),
    cost_bundle: money({
      currency: 'currency',
      column: { optional: true, width: 160, file: ['cost_bundle', 'currency'] },
      form: { max: AMOUNT_MAX, integer: false },
    }),
    billing_period: choice({
      values: ['monthly', 'yearly'],
      column: { optional: true, width: 140 },
      form: { initial: 'monthly' },
    }),
    billing_day: number({
      column: { optional: true, width: 140 },
      form: { initial: 1 },
    }),
    due_day: number({
      column: { optional: true, width: 160, unit: 'unit.days' },
      form: { initial: 14, unit: 'unit.days' },
    }),
    description: text({ column: { optional: true, width: 260 }, form: { multiline: true } }),
    time_zone: choice({
      values: [],
      labels: timeZones,
      searchable: true,
      column: { optional: true, width: 150 },
      form: { initial: 'Asia/Jakarta', required: true },
    }),
    history_days: number<Tenant>({ column: { optional: true, width: 150, Cell: HistoryKept }, form: {} }),
    created_at: instant({ column: { width: 130 } }),
    updated_at: instant({ column: { optional: true, width: 130 } }),
    tax_number: text({ column: false, form: { inputMode: 'numeric', pattern: TAX_NUMBER } }),
    confirmed: flag({ column: false, form: { initial: true } }),
    device_limit: number({ column: false, form: {} }),
    user_limit: number({ column: false, form: {} }),
    storage_limit_mb: number({ column: false, form: { initial: 10_240 } }),
    engine_stop_consent: flag({ column: false, form: {} }),
  },
  form: {
    sections: {
      general: ['name', 'description', 'tax_number', 'time_zone', 'active', 'confirmed', 'engine_stop_consent'],
      limits: ['device_limit', 'user_limit', 'storage_limit_mb', 'history_days'],
      cost: ['subscription_status', 'cost_model', 'currency', 'cost_per_device', 'cost_bundle'],
      billing: ['billing_period', 'billing_day', 'due_day'],
    },
    question: tenantQuestion,
  },
  summary: [
    { name: 'total' },
    { name: 'active', filter: { name: 'active', value: 'true' } },
    { name: 'inactive', filter: { name: 'active', value: 'false' } },
    ...(
      [
        ['subscription_active', 'active'],
        ['subscription_inactive', 'inactive'],
        ['past_due', 'past_due'],
        ['canceled', 'canceled'],
      ] as const
    ).map(([name, value]) => ({ name, filter: { name: 'subscription_status', value } })),
    { name: 'used_devices' },
    { name: 'used_users' },
  ],
  remove: { twice: true, argument: ({ name }) => ({ name }) },
  Instead: { when: ({ deleted_at }) => !!deleted_at, Part: DeletedTenant },
});
