import { Popover } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PopupProps } from '@/lib/lazyPopup';
import { GroupForm, type GroupFormProps } from './GroupForm';

/** The form of the groups, over the list. */
export function GroupPopup({ control, opened, onChange, ...form }: GroupFormProps & PopupProps) {
  const { t } = useTranslation('maps');
  return (
    <Popover opened={opened} onChange={onChange} position="bottom-end" width={320} trapFocus returnFocus shadow="md">
      <Popover.Target>{control}</Popover.Target>
      <Popover.Dropdown aria-label={t('groups.menu')}>
        <GroupForm {...form} />
      </Popover.Dropdown>
    </Popover>
  );
}
