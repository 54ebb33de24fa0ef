import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useLocation, useNavigate } from 'react-router';
import { mayDo, REGISTRY } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './ClaimTabs.module.css';

const TABS = [
  { of: 'imei-claims', name: 'claims' },
  { of: 'imei-assignments', name: 'assignments' },
  { of: 'heard-imeis', name: 'unknown' },
] as const;

/** Leads from one to the other of what decides whose tracker it is. */
export function ClaimTabs() {
  const { t } = useTranslation('claims');
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const person = useSelector(selectPerson);
  const tabs = TABS.filter(({ of }) => mayDo(of, 'list', person)).map(({ of, name }) => ({
    path: REGISTRY[of].path,
    name,
  }));
  // One tab leads nowhere.
  if (tabs.length < 2) return null;
  return (
    <Tabs value={pathname} onChange={(path) => path && void navigate(path)} activateTabWithKeyboard={false}>
      <Tabs.List aria-label={t('title')}>
        {tabs.map(({ path, name }) => (
          <Tabs.Tab key={path} value={path} className={classes.tab}>
            {t(`tab.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {/* What a tab controls has to be there; the list below is the screen itself. */}
      {tabs.map(({ path }) => (
        <Tabs.Panel key={path} value={path} hidden>
          {null}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
