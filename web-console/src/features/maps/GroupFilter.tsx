import { ActionIcon, CloseButton } from '@mantine/core';
import { IconFolders } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { lazyPopup } from '@/lib/lazyPopup';
import type { DeviceGroup } from '@/live/protocol';
import classes from './GroupFilter.module.css';
import type { GroupFormProps } from './GroupForm';
import { groupPaths } from './useDeviceGroups';

const GroupPopup = lazyPopup('dialog', async () => (await import('./GroupPopup')).GroupPopup);

/** Leads to the groups: which of them are shown, and whether the list stands by them. */
export function GroupButton(props: GroupFormProps) {
  const { t } = useTranslation('maps');
  const isUsed = props.chosen !== null || props.grouped;
  const control = (
    <ActionIcon
      aria-label={t('groups.menu')}
      title={t('groups.menu')}
      data-used={isUsed || undefined}
      className={classes.button}
      size={36}
    >
      <IconFolders size={18} aria-hidden="true" />
    </ActionIcon>
  );
  return <GroupPopup {...props} control={control} />;
}

interface GroupLineProps {
  /** Null while they are not known. */
  groups: readonly DeviceGroup[] | null;
  chosen: readonly string[];
  onClear: () => void;
}

/** Says to which groups the map and its list are narrowed. */
export function GroupLine({ groups, chosen, onClear }: GroupLineProps) {
  const { t } = useTranslation('maps');
  const paths = groupPaths(groups ?? []);
  const names = chosen.map((id) => paths.get(id) ?? '…').join(', ');
  return (
    <div className={classes.line}>
      <span className={classes.names}>{t('groups.shown', { names })}</span>
      <CloseButton size="sm" aria-label={t('groups.clear')} onClick={onClear} />
    </div>
  );
}
