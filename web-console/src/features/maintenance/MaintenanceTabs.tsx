import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { PathTabs } from '@/components/ScreenTabs';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import { UnsentMails } from './UnsentMails';

const TABS = [
  { path: '/maintenance', name: 'list', of: 'maintenance' },
  { path: '/maintenance/calendar', name: 'calendar', of: 'maintenance' },
  { path: '/maintenance/completed', name: 'completed', of: 'maintenance-logs' },
  { path: '/maintenance/costs', name: 'costs', of: 'maintenance-logs' },
] as const;

/** Leads from what is to be done to when, to what was done and to what that cost, as far as somebody may see it. */
export function MaintenanceTabs() {
  const { t } = useTranslation('maintenance');
  const person = useSelector(selectPerson);
  const tabs = TABS.filter(({ of }) => mayDo(of, 'list', person)).map(({ path, name }) => ({
    value: path,
    label: t(`view.${name}`),
  }));
  return (
    <>
      <PathTabs label={t('tabsOf')} tabs={tabs} />
      <UnsentMails />
    </>
  );
}
