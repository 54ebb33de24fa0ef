import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useLocation, useNavigate } from 'react-router';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';

const TABS = [
  { path: '/maintenance', name: 'list', of: 'maintenance' },
  { path: '/maintenance/calendar', name: 'calendar', of: 'maintenance' },
  { path: '/maintenance/completed', name: 'completed', of: 'maintenance-logs' },
  { path: '/maintenance/costs', name: 'costs', of: 'maintenance-logs' },
] as const;

/** Leads from what is to be done to when, to what was done and to what that cost, as far as somebody may see it. */
export function MaintenanceTabs() {
  const { t } = useTranslation('maintenance');
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const person = useSelector(selectPerson);
  const tabs = TABS.filter(({ of }) => mayDo(of, 'list', person));
  return (
    <Tabs value={pathname} onChange={(path) => path && void navigate(path)} activateTabWithKeyboard={false}>
      <Tabs.List aria-label={t('tabsOf')}>
        {tabs.map(({ path, name }) => (
          <Tabs.Tab key={path} value={path}>
            {t(`view.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {/* What a tab controls has to be there; what is below is the screen itself. */}
      {tabs.map(({ path }) => (
        <Tabs.Panel key={path} value={path} hidden>
          {null}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
