import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSingleKeys } from '@/lib/singleKeys';
import { Section } from './Section';

/** Whether single keys do something. */
export function KeyboardSection() {
  const { t } = useTranslation('account');
  const [on, set] = useSingleKeys();
  return (
    <Section title={t('keyboard.title')}>
      <Switch
        label={t('keyboard.singleKeys')}
        description={t('keyboard.help')}
        checked={on}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    </Section>
  );
}
