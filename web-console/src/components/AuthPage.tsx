import { NativeSelect, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LANGUAGES, LANGUAGE_NAMES, languageOf } from '@/i18n/languages';
import classes from './AuthPage.module.css';

interface AuthPageProps {
  /** The heading; without it, what is inside has one. */
  title?: string;
  children: ReactNode;
  /** Where else one may want to go. */
  links?: ReactNode;
}

/** What surrounds the screens of those who are not signed in. */
export function AuthPage({ title, children, links }: AuthPageProps) {
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <img src="/favicon.svg" width={36} height={36} alt="" />
          <span>Armada</span>
        </div>
        {title && <Title order={1}>{title}</Title>}
        {children}
        {links && <div className={classes.links}>{links}</div>}
      </div>
      <LanguageSwitch />
    </main>
  );
}

function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <NativeSelect
      aria-label={t('shell.language')}
      value={languageOf(i18n.language)}
      data={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }))}
      onChange={(event) => void i18n.changeLanguage(event.currentTarget.value)}
    />
  );
}
