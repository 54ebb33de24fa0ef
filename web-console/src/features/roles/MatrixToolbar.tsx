import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Permission } from '@/api/generated';
import { FilterChips } from '@/components/FilterChips';
import { SearchInput } from '@/components/SearchInput';
import { MATRIX_FILTERS, countEffects, type MatrixFilter } from './matrix';
import { EFFECT_ICONS } from './EffectMark';
import type { Draft } from './useDraft';
import classes from './PermissionMatrix.module.css';

interface MatrixToolbarProps {
  q: string;
  onSearch: (q: string) => void;
  shown: MatrixFilter;
  onShown: (shown: MatrixFilter) => void;
  permissions: Permission[];
  draft: Draft;
  /** Null while nothing can be folded, because something is looked for. */
  fold: { all: boolean; onToggle: () => void } | null;
  editable: boolean;
}

/** Narrows the matrix, and says how many permissions there are of each kind. */
export function MatrixToolbar({ q, onSearch, shown, onShown, permissions, draft, fold, editable }: MatrixToolbarProps) {
  const { t } = useTranslation('roles');
  const { t: words } = useTranslation('permissions');
  const counts = {
    all: permissions.length,
    ...countEffects(permissions, draft.effects),
    changed: draft.changes.length,
  };
  const label = (each: MatrixFilter) => {
    if (each === 'all') return t('matrix.all');
    return each === 'changed' ? t('matrix.changed') : words(`effect.${each}`);
  };
  return (
    <div className={classes.toolbar}>
      <SearchInput label={t('matrix.search')} value={q} onChange={onSearch} />
      <FilterChips
        label={t('matrix.filter')}
        chips={MATRIX_FILTERS.filter((each) => editable || each !== 'changed').map((each) => {
          const Shape = each === 'all' || each === 'changed' ? null : EFFECT_ICONS[each];
          const mark = Shape && <Shape size={14} aria-hidden="true" />;
          return { value: each, label: label(each), count: counts[each], mark };
        })}
        isPressed={(each) => each === shown}
        onPress={onShown}
      />
      {fold && (
        <Button variant="subtle" size="compact-sm" onClick={fold.onToggle}>
          {fold.all ? t('matrix.unfoldAll') : t('matrix.foldAll')}
        </Button>
      )}
    </div>
  );
}
