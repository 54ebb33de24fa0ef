import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { PathTabs } from '@/components/ScreenTabs';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';

const TABS = [
  { path: '/devices', name: 'list' },
  { path: '/devices/deleted', name: 'deleted' },
] as const;

/** Leads from the devices that there are to the deleted ones, for who may delete any. */
export function DeviceTabs() {
  const { t } = useTranslation('devices');
  if (!mayDo('devices', 'delete', useSelector(selectPerson))) return null;
  return (
    <PathTabs label={t('tabsOf')} tabs={TABS.map(({ path, name }) => ({ value: path, label: t(`view.${name}`) }))} />
  );
}
