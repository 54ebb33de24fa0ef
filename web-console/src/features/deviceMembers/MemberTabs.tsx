import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { PathTabs } from '@/components/ScreenTabs';
import { selectPerson } from '@/session/sessionSlice';
import { MANAGER_PATH, mayManage } from './managerAccess';

const TABS = [
  { path: '/device-members', name: 'list' },
  { path: MANAGER_PATH, name: 'manager' },
] as const;

/** Leads from the list of links to what changes many of them at once, for those who may. */
export function MemberTabs() {
  const { t } = useTranslation('deviceMembers');
  if (!mayManage(useSelector(selectPerson))) return null;
  return (
    <PathTabs label={t('tabsOf')} tabs={TABS.map(({ path, name }) => ({ value: path, label: t(`tab.${name}`) }))} />
  );
}
