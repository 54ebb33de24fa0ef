import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import classes from './ClaimTabs.module.css';

const TABS = [
  { path: '/imei-claims', name: 'claims' },
  { path: '/imei-claims/assignments', name: 'assignments' },
] as const;

/** Leads from one to the other of what decides whose tracker it is. */
export function ClaimTabs() {
  const { t } = useTranslation('claims');
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (
    <Tabs value={pathname} onChange={(path) => path && void navigate(path)} activateTabWithKeyboard={false}>
      <Tabs.List aria-label={t('title')}>
        {TABS.map(({ path, name }) => (
          <Tabs.Tab key={path} value={path} className={classes.tab}>
            {t(`tab.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {/* What a tab controls has to be there; the list below is the screen itself. */}
      {TABS.map(({ path }) => (
        <Tabs.Panel key={path} value={path} hidden>
          {null}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
