import 'i18next';
import type auth from '../locales/id/auth.json';
import type common from '../locales/id/common.json';
import type devices from '../locales/id/devices.json';
import type maps from '../locales/id/maps.json';
import type palette from '../locales/id/palette.json';
import type rejections from '../locales/id/rejections.json';
import type tenants from '../locales/id/tenants.json';
import type users from '../locales/id/users.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      auth: typeof auth;
      common: typeof common;
      devices: typeof devices;
      maps: typeof maps;
      palette: typeof palette;
      rejections: typeof rejections;
      tenants: typeof tenants;
      users: typeof users;
    };
  }
}
