import { render, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { describe, expect, it } from 'vitest';
import { i18n } from './i18n';
import { LANGUAGE_KEY } from './languages';

const shown: string[] = [];

function Screen() {
  const { t } = useTranslation('auth');
  const { t: common } = useTranslation('common');
  const text = `${t('title')} ${common('action.save')}`;
  shown.push(text);
  return <p>{text}</p>;
}

describe('choosing a language', () => {
  it('loads the texts of the visited screens before it shows them, and none of a third language', async () => {
    render(
      <Suspense fallback={null}>
        <Screen />
      </Suspense>,
    );
    expect(shown).toEqual(['Masuk Simpan']);
    expect(Object.keys(i18n.store.data)).toEqual(['id']);
    await i18n.changeLanguage('zh');
    await waitFor(() => expect(document.body.textContent).toContain('保存'));
    expect(shown.every((text) => !text.includes('title') && !text.includes('action.save'))).toBe(true);
    expect(Object.keys(i18n.store.data)).toEqual(['id', 'zh']);
    expect(document.documentElement.lang).toBe('zh');
    expect(localStorage.getItem(LANGUAGE_KEY)).toBe('zh');
  });
});
