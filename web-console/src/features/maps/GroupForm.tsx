import { MultiSelect, Stack, Switch } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { groupPaths, type DeviceGroups } from './useDeviceGroups';

/** More options than these are not shown at a time: whoever has more types a part of the name. */
const OPTIONS_MAX = 100;

/** What of the groups is shown. */
export interface GroupFormProps {
  known: DeviceGroups;
  /** Only who is in one of these; null for all. */
  chosen: string[] | null;
  onChoose: (groups: string[] | null) => void;
  /** Whether the list stands by groups. */
  grouped: boolean;
  onGrouped: (grouped: boolean) => void;
}

/** Narrows the map to groups with all that lie in them, and puts the list below their heads. */
export function GroupForm({ known, chosen, onChoose, grouped, onGrouped }: GroupFormProps) {
  const { t } = useTranslation(['maps', 'common']);
  const { compare } = useFormats();
  const { groups, failed } = known;
  const options = useMemo(() => {
    const named = [...groupPaths(groups ?? [])].map(([value, label]) => ({ value, label }));
    // By their paths, which is the order of the tree.
    return named.sort((one, other) => compare(one.label, other.label));
  }, [groups, compare]);
  const unknown = (chosen ?? []).filter((id) => !options.some(({ value }) => value === id));
  return (
    <Stack gap="sm">
      <MultiSelect
        label={t('groups.filter')}
        placeholder={chosen ? undefined : t('groups.all')}
        description={groups?.length === 0 ? t('groups.noneYet') : undefined}
        error={failed && t('groups.failed')}
        data={[...options, ...unknown.map((value) => ({ value, label: '…' }))]}
        value={chosen ?? []}
        onChange={(ids) => onChoose(ids.length > 0 ? ids : null)}
        limit={OPTIONS_MAX}
        searchable
        // The keyboard begins here: open, its options would cover what stands below.
        openOnFocus={false}
        clearable
        hidePickedOptions
        nothingFoundMessage={t('common:table.nothingFound')}
        comboboxProps={{ withinPortal: false }}
      />
      <Switch
        label={t('groups.by')}
        checked={grouped}
        onChange={({ currentTarget }) => onGrouped(currentTarget.checked)}
      />
    </Stack>
  );
}
