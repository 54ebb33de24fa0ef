import { ActionIcon } from '@mantine/core';
import { IconArrowsSort } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { lazyPopup } from '@/lib/lazyPopup';
import type { SortChoiceProps } from './SortChoice';

const SortChoice = lazyPopup('menu', async () => (await import('./SortChoice')).SortChoice);

/** In which order the vehicles stand. The list keeps it while vehicles change, until somebody asks again. */
export function SortMenu(props: SortChoiceProps) {
  const { t } = useTranslation('maps');
  const control = (
    <ActionIcon aria-label={t('sort.label')} title={t('sort.label')} size={36}>
      <IconArrowsSort size={18} aria-hidden="true" />
    </ActionIcon>
  );
  return <SortChoice {...props} control={control} />;
}
