/// <reference types="vite/client" />
import { renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { MODULES, usePermissionTexts } from '@/i18n/usePermissionTexts';
import { moduleOf, MODULE_WIDE_PERMISSIONS } from './matrix';

const contract = import.meta.glob<string>('../../../../proto/armada/v1/*.proto', {
  eager: true,
  query: '?raw',
  import: 'default',
});

/** Every permission that a method of the contract asks for. */
const guarded = new Set(
  Object.values(contract).flatMap((text) =>
    [...text.matchAll(/\((?:permission|permission_of_some)\) = "([a-z_]+:[a-z_]+)"/g)].map(([, key = '']) => key),
  ),
);

describe('the texts of permissions', () => {
  it('are there for every permission that a service guards', () => {
    const { result } = renderHook(() => usePermissionTexts());
    const texts = result.current;
    expect(guarded.size).toBeGreaterThan(15);
    const untold = [...guarded].filter((key) => texts.name(key) === key || texts.text(key) === '');
    expect(untold, 'say what they let one do in locales/*/permissions.json, under `permission`').toEqual([]);
    for (const key of Object.keys(MODULE_WIDE_PERMISSIONS)) expect(texts.name(key)).not.toBe(key);
    const modules = new Set([...guarded, ...Object.keys(MODULE_WIDE_PERMISSIONS)].map(moduleOf));
    expect([...modules].sort(), 'put it into the order of MODULES').toEqual([...MODULES].sort());
  });

  it('are those of its maker for any other', () => {
    const { result } = renderHook(() => usePermissionTexts());
    expect(result.current.name('erp:sync')).toBe('erp:sync');
    expect(result.current.text('erp:sync', 'Menyinkronkan ERP')).toBe('Menyinkronkan ERP');
    expect(result.current.module('erp')).toBe('erp');
  });
});
