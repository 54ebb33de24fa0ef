import { describe, expect, it } from 'vitest';
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

  it('made of what is known of the person is weak', () => {
    const known = ['Budi Santoso', 'budi.santoso@angkutan.example', 'PT Angkutan Maju'];
    expect(passwordStrength('santoso-angkutan', known)).toBe('weak');
    expect(passwordStrength('Budi2026!', known)).toBe('weak');
    expect(passwordStrength('budi dan hujan di bulan juni', known)).toBe('strong');
  });
});
