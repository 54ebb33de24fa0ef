import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { createArmadaTheme, installThemeVariables } from '@/theme/theme';

/** The key is also read by public/color-scheme.js, before the first paint. */
const colorSchemes = localStorageColorSchemeManager({ key: 'color_scheme' });

/** Mantine with the theme, its control names in the language of the screen. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const { t, i18n } = useTranslation();
  const theme = useMemo(() => {
    const created = createArmadaTheme({
      close: t('action.close'),
      clear: t('action.clear'),
      togglePassword: t('action.togglePassword'),
      previousPage: t('table.previous'),
      nextPage: t('table.next'),
    });
    installThemeVariables(created);
    return created;
    // The texts change with the language, not with the function.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [i18n.language]);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  );
}
