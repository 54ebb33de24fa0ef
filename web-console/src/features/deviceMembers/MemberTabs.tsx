import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useLocation, useNavigate } from 'react-router';
import { selectPerson } from '@/session/sessionSlice';
import { MANAGER_PATH, mayManage } from './managerAccess';

const TABS = [
  { path: '/device-members', name: 'list' },
  { path: MANAGER_PATH, name: 'manager' },
] as const;

/** Leads from the list of links to what changes many of them at once, for those who may. */
export function MemberTabs() {
  const { t } = useTranslation('deviceMembers');
  const { pathname } = useLocation();
  const navigate = useNavigate();
  if (!mayManage(useSelector(selectPerson))) return null;
  return (
    <Tabs value={pathname} onChange={(path) => path && void navigate(path)} activateTabWithKeyboard={false}>
      <Tabs.List aria-label={t('tabsOf')}>
        {TABS.map(({ path, name }) => (
          <Tabs.Tab key={path} value={path}>
            {t(`tab.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {/* What a tab controls has to be there; what is below is the screen itself. */}
      {TABS.map(({ path }) => (
        <Tabs.Panel key={path} value={path} hidden>
          {null}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
