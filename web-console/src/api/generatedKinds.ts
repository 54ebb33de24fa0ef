// Made by contract.mjs from openapi.json. Do not edit.
/** Kinds of things, as the first part of their addresses. */
export const KINDS = [
  'account',
  'audit',
  'auth',
  'device-members',
  'devices',
  'documents',
  'driver-assignments',
  'drivers',
  'files',
  'gateway-messages',
  'gateways',
  'imei-assignments',
  'imei-claims',
  'jobs',
  'last-positions',
  'maintenance',
  'maintenance-logs',
  'master-data',
  'permissions',
  'position-rejections',
  'roles',
  'saved-views',
  'tenants',
  'users',
  'ws-ticket',
] as const;
/** One of them. */
export type Kind = (typeof KINDS)[number];
