import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useLocation, useNavigate } from 'react-router';
import { mayDo, REGISTRY } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';

const TABS = ['commands', 'saved-commands'] as const;

/** Leads from what was sent to what is kept to be sent again, for who may see both. */
export function CommandTabs() {
  const { t } = useTranslation('commands');
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const person = useSelector(selectPerson);
  const tabs = TABS.filter((key) => mayDo(key, 'list', person));
  if (tabs.length < TABS.length) return null;
  return (
    <Tabs value={pathname} onChange={(path) => path && void navigate(path)} activateTabWithKeyboard={false}>
      <Tabs.List aria-label={t('tabs')}>
        {tabs.map((key) => (
          <Tabs.Tab key={key} value={REGISTRY[key].path}>
            {t(`tab.${key}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {/* What a tab controls has to be there; the list below is the screen itself. */}
      {tabs.map((key) => (
        <Tabs.Panel key={key} value={REGISTRY[key].path} hidden>
          {null}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
