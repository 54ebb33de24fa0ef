import { describe, expect, it } from 'vitest';
import { permissionSchema } from './permissionForm';

const isKey = (key: string) => permissionSchema.safeParse({ key, description: '' }).success;

describe('the key of a permission', () => {
  it('is a module and an act, or an act and things', () => {
    expect(['erp:sync', 'goods-in:read_all', 'manage-roles', ' manage-roles '].filter((key) => !isKey(key))).toEqual(
      [],
    );
  });

  it('is nothing else', () => {
    expect(
      ['', 'erp', 'erp:', ':sync', 'Erp:sync', 'a:b:c', 'manage-', '-roles', 'manage roles'].filter(isKey),
    ).toEqual([]);
  });
});
