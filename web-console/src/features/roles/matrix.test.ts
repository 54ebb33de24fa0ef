import { describe, expect, it } from 'vitest';
import type { Permission } from '@/api/generated';
import {
  PERMISSION_KEY,
  changesOf,
  countEffects,
  effectsOf,
  isWider,
  modulesOf,
  filterModules,
  type RoleEffect,
} from './matrix';

const permission = (key: string): Permission => ({ key, description: '', is_built_in: true, row_version: 1 });

const isKey = (key: string) => new RegExp(PERMISSION_KEY, 'u').test(key);

describe('the key of a permission', () => {
  it('is a module and an act, or an act and things', () => {
    expect(['erp:sync', 'goods-in:read_all', 'manage-roles'].filter((key) => !isKey(key))).toEqual([]);
  });

  it('is nothing else', () => {
    expect(
      ['', 'erp', 'erp:', ':sync', 'Erp:sync', 'a:b:c', 'manage-', '-roles', 'manage roles'].filter(isKey),
    ).toEqual([]);
  });
});

describe('the modules of the catalogue', () => {
  it('come in the order of the console, then what others have added', () => {
    const keys = ['zeta:go', 'audit:list', 'alpha:go', 'device:list', 'device:create'];
    const modules = modulesOf(keys.map(permission));
    expect(modules.map(({ module }) => module)).toEqual(['device', 'audit', 'alpha', 'zeta']);
    expect(modules[0]?.permissions.map(({ key }) => key)).toEqual(['device:list', 'device:create']);
  });

  it('begin with what stands for all of them', () => {
    const modules = modulesOf(['manage-invoices', 'manage-users', 'user:list', 'manage-goods'].map(permission));
    const actual = modules.map(({ module, permissions }) => [module, permissions.map(({ key }) => key)]);
    expect(actual).toEqual([
      ['user', ['manage-users', 'user:list']],
      ['invoice', ['manage-invoices']],
      ['manage-goods', ['manage-goods']],
    ]);
    expect(modulesOf(['user:list', 'manage-users'].map(permission))[0]?.permissions[0]?.key).toBe('manage-users');
  });

  it('are left out when nothing of them is to be seen', () => {
    const modules = modulesOf(['audit:list', 'device:list'].map(permission));
    expect(filterModules(modules, ({ key }) => key.startsWith('audit')).map(({ module }) => module)).toEqual(['audit']);
  });
});

describe('changes', () => {
  const base = effectsOf([
    { key: 'device:list', effect: 'allow' },
    { key: 'user:list', effect: 'deny' },
    { key: 'role:list', effect: 'unspecified' },
  ]);

  it('are where a draft differs, whatever was pressed on the way', () => {
    expect(
      changesOf(base, { 'user:list': 'none', 'device:list': 'allow', 'audit:list': 'none', 'role:list': 'deny' }),
    ).toEqual([
      { key: 'role:list', before: 'none', after: 'deny' },
      { key: 'user:list', before: 'deny', after: 'none' },
    ]);
  });

  it('give more when they allow more or deny less', () => {
    const wider = (before: RoleEffect, after: RoleEffect) => isWider({ key: 'a:b', before, after });
    expect([wider('none', 'allow'), wider('deny', 'none'), wider('deny', 'allow')]).toEqual([true, true, true]);
    expect([wider('allow', 'none'), wider('none', 'deny'), wider('allow', 'allow')]).toEqual([false, false, false]);
  });

  it('are counted with what is said of nothing', () => {
    const permissions = ['device:list', 'user:list', 'audit:list'].map(permission);
    expect(countEffects(permissions, base)).toEqual({ allow: 1, deny: 1, none: 1 });
  });
});
