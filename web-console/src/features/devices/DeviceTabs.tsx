import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useLocation, useNavigate } from 'react-router';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';

const TABS = [
  { path: '/devices', name: 'list' },
  { path: '/devices/deleted', name: 'deleted' },
] as const;

/** Leads from the devices that there are to the deleted ones, for who may delete any. */
export function DeviceTabs() {
  const { t } = useTranslation('devices');
  const { pathname } = useLocation();
  const navigate = useNavigate();
  if (!mayDo('devices', 'delete', useSelector(selectPerson))) return null;
  return (
    <Tabs value={pathname} onChange={(path) => path && void navigate(path)} activateTabWithKeyboard={false}>
      <Tabs.List aria-label={t('tabsOf')}>
        {TABS.map(({ path, name }) => (
          <Tabs.Tab key={path} value={path}>
            {t(`view.${name}`)}
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
