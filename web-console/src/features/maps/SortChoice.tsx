import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PopupProps } from '@/lib/lazyPopup';
import type { ListSort } from '@/live/protocol';

const SORTS: ListSort[] = ['state', 'name', 'recent'];

/** What a list can be sorted by. */
export interface SortChoiceProps {
  sort: ListSort;
  onSort: (sort: ListSort) => void;
}

/** The orders there are. */
export function SortChoice({ sort, onSort, control, ...popup }: SortChoiceProps & PopupProps) {
  const { t } = useTranslation('maps');
  return (
    <Menu {...popup} position="bottom-end">
      <Menu.Target>{control}</Menu.Target>
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
