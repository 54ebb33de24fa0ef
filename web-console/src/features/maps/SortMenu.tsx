import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowsSort } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ListSort } from '@/live/protocol';

const SORTS: ListSort[] = ['state', 'name', 'recent'];

/** In which order the vehicles stand. The list keeps it while vehicles change, until somebody asks again. */
export function SortMenu({ sort, onSort }: { sort: ListSort; onSort: (sort: ListSort) => void }) {
  const { t } = useTranslation('maps');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('sort.label')} title={t('sort.label')} size={36}>
          <IconArrowsSort size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={sort} onChange={(value) => onSort(value as ListSort)}>
          {SORTS.map((each) => (
            <Menu.RadioItem key={each} value={each} closeMenuOnClick onClick={() => each === sort && onSort(each)}>
              {t(`sort.${each}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
