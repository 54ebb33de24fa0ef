import { IconFlask } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Banner } from '@/components/Banner';
import { selectIsDemo } from '@/session/sessionSlice';

/** Says to the users of the demonstration that nothing they see is real. */
export function DemoBanner() {
  const { t } = useTranslation();
  if (!useSelector(selectIsDemo)) return null;
  return (
    <Banner icon={IconFlask} title={t('shell.demo.title')} testId="demo-banner">
      {t('shell.demo.text')}
    </Banner>
  );
}
