import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PopupProps } from '@/lib/lazyPopup';
import { Choice } from './Choice';
import type { Action } from './useActions';

/** The languages there are. */
export function LanguageMenu({ actions, control, ...popup }: PopupProps & { actions: Action[] }) {
  const { t } = useTranslation();
  return (
    <Menu {...popup} position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>{control}</Menu.Target>
      <Menu.Dropdown>
        <Choice label={t('shell.language')} actions={actions.filter(({ section }) => section === 'language')} />
      </Menu.Dropdown>
    </Menu>
  );
}
