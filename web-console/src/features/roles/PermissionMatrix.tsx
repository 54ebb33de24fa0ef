import { Button, Text } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Permission } from '@/api/generated';
import { EmptyState } from '@/components/EmptyState';
import { usePermissionTexts } from '@/i18n/usePermissionTexts';
import { useAddress } from '@/lib/address';
import { MatrixModule } from './MatrixModule';
import { MatrixToolbar } from './MatrixToolbar';
import {
  MATRIX_FILTERS,
  changesOf,
  effectOf,
  modulesOf,
  filterModules,
  type Effects,
  type RoleEffect,
  type MatrixFilter,
} from './matrix';
import type { Draft } from './useDraft';
import classes from './PermissionMatrix.module.css';

/** Keys that set the row in which the keyboard is; the same in every language. */
const SETS: Partial<Record<string, RoleEffect>> = { '+': 'allow', '=': 'allow', '-': 'deny', '0': 'none' };
const MOVES: Partial<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: -Infinity,
  End: Infinity,
};

interface PermissionMatrixProps {
  permissions: Permission[];
  base: Effects;
  draft: Draft;
  editable: boolean;
  /** What is wrong with single rows, by their keys. */
  problems: ReadonlyMap<string, string>;
}

/** What a role says of every permission: searched, narrowed, and changed row by row or a module at a time. */
export function PermissionMatrix({ permissions, base, draft, editable, problems }: PermissionMatrixProps) {
  const { t } = useTranslation('roles');
  const { search, change } = useAddress();
  const q = search.get('q') ?? '';
  const shown = MATRIX_FILTERS.find((each) => each === search.get('show')) ?? 'all';
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState('');
  const modules = useMemo(() => modulesOf(permissions), [permissions]);
  const wanted = useFilteredModules(q, shown, base, draft.effects);
  const visible = useMemo(() => filterModules(modules, wanted), [modules, wanted]);
  const narrow = q !== '' || shown !== 'all';
  // Whoever searches wants to see what was found.
  const isOpen = (module: string) => narrow || !folded.has(module);

  const rows = visible.flatMap(({ module, permissions: found }) => (isOpen(module) ? found.map(({ key }) => key) : []));
  const tabStop = rows.includes(current) ? current : (rows[0] ?? '');
  const put = (name: string, value: string) => change((next) => (value ? next.set(name, value) : next.delete(name)));
  const fold = (module: string) =>
    setFolded(
      (present) => new Set(present.has(module) ? [...present].filter((each) => each !== module) : [...present, module]),
    );
  const allFolded = modules.every(({ module }) => folded.has(module));

  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const row = (event.target as Element).closest<HTMLElement>('[data-permission]');
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = MOVES[event.key];
    const effect = SETS[event.key];
    if (move !== undefined) {
      const all = [...(list.current?.querySelectorAll<HTMLElement>('[data-permission]') ?? [])];
      const to = Math.min(all.length - 1, Math.max(0, all.indexOf(row) + move));
      all[to]?.querySelector<HTMLElement>('input:checked')?.focus();
    } else if (effect) {
      draft.set([row.dataset.permission ?? ''], effect);
      row.querySelector<HTMLElement>(`input[value=${effect}]`)?.focus();
    } else return;
    event.preventDefault();
  };

  return (
    <>
      <MatrixToolbar
        q={q}
        onSearch={(text) => put('q', text)}
        shown={shown}
        onShown={(next) => put('show', next === 'all' ? '' : next)}
        permissions={permissions}
        draft={draft}
        fold={
          narrow
            ? null
            : {
                all: allFolded,
                onToggle: () => setFolded(new Set(allFolded ? [] : modules.map(({ module }) => module))),
              }
        }
        editable={editable}
      />
      <div ref={list} role="presentation" className={classes.modules} onKeyDown={editable ? onKeyDown : undefined}>
        {visible.map(({ module, permissions: found }) => (
          <MatrixModule
            key={module}
            module={module}
            all={modules.find((each) => each.module === module)?.permissions ?? found}
            shown={found}
            open={isOpen(module)}
            onFold={narrow ? null : fold}
            base={base}
            draft={draft}
            editable={editable}
            problems={problems}
            tabStop={tabStop}
            onCurrent={setCurrent}
          />
        ))}
      </div>
      {visible.length === 0 && (
        <EmptyState
          icon={IconSearchOff}
          title={t('matrix.nothing')}
          action={
            <Button
              variant="default"
              onClick={() =>
                change((next) => {
                  next.delete('q');
                  next.delete('show');
                })
              }
            >
              {t('matrix.showAll')}
            </Button>
          }
        />
      )}
      {editable && visible.length > 0 && (
        <Text size="xs" c="dimmed" className={classes.keys}>
          {t('matrix.keys')}
        </Text>
      )}
    </>
  );
}

/**
 * What is to be seen. A row that is changed stays where it is: which effect it has counts as of when the filter was chosen.
 */
function useFilteredModules(
  q: string,
  shown: MatrixFilter,
  base: Effects,
  effects: Effects,
): (permission: Permission) => boolean {
  const texts = usePermissionTexts();
  const asked = `${shown} ${q}`;
  const [seen, setSeen] = useState({ asked, effects });
  if (seen.asked !== asked) setSeen({ asked, effects });
  const then = seen.asked === asked ? seen.effects : effects;
  return useMemo(() => {
    const changed = new Set(changesOf(base, then).map(({ key }) => key));
    const words = q.toLowerCase().split(/\s+/).filter(Boolean);
    return ({ key, description }) => {
      if (shown === 'changed' ? !changed.has(key) : shown !== 'all' && effectOf(then, key) !== shown) return false;
      const module = key.split(':')[0] ?? '';
      const searchText = [key, texts.name(key), texts.text(key, description), texts.module(module)]
        .join(' ')
        .toLowerCase();
      return words.every((word) => searchText.includes(word));
    };
  }, [q, shown, base, then, texts]);
}
