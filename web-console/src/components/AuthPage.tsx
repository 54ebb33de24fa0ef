import { NativeSelect, Title } from '@mantine/core';
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LANGUAGES, LANGUAGE_NAMES, languageOf } from '@/i18n/languages';
import { useIsDesktop } from '@/theme/breakpoints';
import classes from './AuthPage.module.css';

// The form is there before, and whoever cannot have the picture has all that they need.
const Picture = lazy<ComponentType>(() => import('./auth/Picture').catch(() => ({ default: () => null })));

interface AuthPageProps {
  /** The heading; without it, what is inside has one. */
  title?: string;
  children: ReactNode;
  /** Where else one may want to go. */
  links?: ReactNode;
}

/** What surrounds the screens of those who are not signed in. */
export function AuthPage({ title, children, links }: AuthPageProps) {
  const wide = useIsDesktop();
  return (
    <div className={classes.page}>
      <aside className={classes.picture}>
        <Suspense fallback={null}>{wide && <Picture />}</Suspense>
      </aside>
      <main className={classes.side}>
        <LanguageSwitch />
        <div className={classes.form}>
          <div className={classes.brand}>
            <img src="/favicon.svg" width={36} height={36} alt="" />
            <span>Armada</span>
          </div>
          {title && <Title order={1}>{title}</Title>}
          {children}
          {links && <div className={classes.links}>{links}</div>}
        </div>
      </main>
    </div>
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
      className={classes.language}
    />
  );
}
