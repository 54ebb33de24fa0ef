import 'i18next';
import type account from '../locales/id/account.json';
import type audit from '../locales/id/audit.json';
import type auth from '../locales/id/auth.json';
import type claims from '../locales/id/claims.json';
import type commands from '../locales/id/commands.json';
import type common from '../locales/id/common.json';
import type deviceMembers from '../locales/id/deviceMembers.json';
import type devicePage from '../locales/id/devicePage.json';
import type devices from '../locales/id/devices.json';
import type documents from '../locales/id/documents.json';
import type drivers from '../locales/id/drivers.json';
import type gateways from '../locales/id/gateways.json';
import type lists from '../locales/id/lists.json';
import type maintenance from '../locales/id/maintenance.json';
import type maps from '../locales/id/maps.json';
import type masterData from '../locales/id/masterData.json';
import type meters from '../locales/id/meters.json';
import type palette from '../locales/id/palette.json';
import type permissions from '../locales/id/permissions.json';
import type playback from '../locales/id/playback.json';
import type registration from '../locales/id/registration.json';
import type rejections from '../locales/id/rejections.json';
import type resource from '../locales/id/resource.json';
import type roles from '../locales/id/roles.json';
import type share from '../locales/id/share.json';
import type setup from '../locales/id/setup.json';
import type shareLinks from '../locales/id/shareLinks.json';
import type tenants from '../locales/id/tenants.json';
import type users from '../locales/id/users.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      account: typeof account;
      audit: typeof audit;
      auth: typeof auth;
      claims: typeof claims;
      commands: typeof commands;
      common: typeof common;
      deviceMembers: typeof deviceMembers;
      devicePage: typeof devicePage;
      devices: typeof devices;
      documents: typeof documents;
      drivers: typeof drivers;
      gateways: typeof gateways;
      lists: typeof lists;
      maintenance: typeof maintenance;
      maps: typeof maps;
      masterData: typeof masterData;
      meters: typeof meters;
      palette: typeof palette;
      permissions: typeof permissions;
      playback: typeof playback;
      registration: typeof registration;
      rejections: typeof rejections;
      resource: typeof resource;
      roles: typeof roles;
      share: typeof share;
      setup: typeof setup;
      shareLinks: typeof shareLinks;
      tenants: typeof tenants;
      users: typeof users;
    };
  }
}
