/// <reference types="vite/client" />
import { describe, expect, it } from 'vitest';
import ofServer from '../../../services/identity/src/common_passwords.txt?raw';
import list from './commonPasswords.txt?raw';
import { passwordStrength } from './passwordStrength';

describe('a password', () => {
  it.each([
    ['', 'short'],
    ['1234567', 'short'],
    ['👍👍👍👍', 'short'],
    ['aaaaaaaaaaaaaaaaaaaa', 'weak'],
    ['abababababababab', 'weak'],
    ['kucing7k', 'fair'],
    ['kuda benar baterai', 'strong'],
    ['пароль длинный да', 'strong'],
  ])('like %j is %s', (password, wanted) => {
    expect(passwordStrength(password)).toBe(wanted);
  });

  it('that is tried first is refused, in whatever letters', () => {
    const common = new Set(list.trim().split('\n'));
    expect(passwordStrength('password', [], common)).toBe('common');
    expect(passwordStrength('Rahasia123', [], common)).toBe('common');
    expect(passwordStrength('kuda benar baterai', [], common)).toBe('strong');
  });

  it('made of what is known of the person is refused', () => {
    const known = ['Budi Santoso', 'budi.santoso@angkutan.example', 'PT Angkutan Maju'];
    expect(passwordStrength('santoso-angkutan', known)).toBe('personal');
    expect(passwordStrength('Budi2026!', known)).toBe('personal');
    expect(passwordStrength('armada-armada', known)).toBe('personal');
    expect(passwordStrength('Budi1234567', known)).toBe('weak');
    expect(passwordStrength('budi dan hujan di bulan juni', known)).toBe('strong');
  });
});

it('knows the same common passwords as the server', () => {
  expect(list).toBe(ofServer);
});
