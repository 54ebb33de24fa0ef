import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { PathTabs } from '@/components/ScreenTabs';
import { mayDo, REGISTRY } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';

const TABS = [
  { of: 'imei-claims', name: 'claims' },
  { of: 'imei-assignments', name: 'assignments' },
  { of: 'heard-imeis', name: 'unknown' },
] as const;

/** Leads from one to the other of what decides whose tracker it is. */
export function ClaimTabs() {
  const { t } = useTranslation('claims');
  const person = useSelector(selectPerson);
  const tabs = TABS.filter(({ of }) => mayDo(of, 'list', person)).map(({ of, name }) => ({
    value: REGISTRY[of].path,
    label: t(`tab.${name}`),
  }));
  // One tab leads nowhere.
  if (tabs.length < 2) return null;
  return <PathTabs label={t('title')} tabs={tabs} />;
}
