// Made by contract.mjs from openapi.json. Do not edit.
/** Kinds of things, as the first part of their addresses. */
export const KINDS = [
  'account',
  'audit',
  'auth',
  'commands',
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
  'master-data',
  'permissions',
  'position-rejections',
  'roles',
  'saved-commands',
  'saved-views',
  'share-links',
  'shared-view',
  'tenants',
  'users',
  'ws-ticket',
] as const;
/** One of them. */
export type Kind = (typeof KINDS)[number];
