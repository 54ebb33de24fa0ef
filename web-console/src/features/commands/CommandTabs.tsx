import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { PathTabs } from '@/components/ScreenTabs';
import { mayDo, REGISTRY } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';

const TABS = ['commands', 'saved-commands'] as const;

/** Leads from what was sent to what is kept to be sent again, for who may see both. */
export function CommandTabs() {
  const { t } = useTranslation('commands');
  const person = useSelector(selectPerson);
  if (!TABS.every((key) => mayDo(key, 'list', person))) return null;
  return (
    <PathTabs label={t('tabs')} tabs={TABS.map((key) => ({ value: REGISTRY[key].path, label: t(`tab.${key}`) }))} />
  );
}
