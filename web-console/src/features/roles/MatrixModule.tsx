import { Button, Menu, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Permission } from '@/api/generated';
import { useFormats } from '@/i18n/useFormats';
import { usePermissionTexts } from '@/i18n/usePermissionTexts';
import { EFFECT_ICONS } from './EffectMark';
import { MatrixRow } from './MatrixRow';
import { EFFECTS, countEffects, effectOf, type Effects } from './matrix';
import type { Draft } from './useDraft';
import classes from './PermissionMatrix.module.css';

interface MatrixModuleProps {
  module: string;
  /** Its permissions, and those of them that are to be seen. */
  all: Permission[];
  shown: Permission[];
  open: boolean;
  /** Null while it cannot be folded. */
  onFold: ((module: string) => void) | null;
  base: Effects;
  draft: Draft;
  editable: boolean;
  problems: ReadonlyMap<string, string>;
  /** The row that the tab key leads to. */
  tabStop: string;
  onCurrent: (key: string) => void;
}

/** The permissions that are about one kind of thing. */
export function MatrixModule(props: MatrixModuleProps) {
  const { module, all, shown, open, onFold, base, draft, editable, problems, tabStop, onCurrent } = props;
  const { t } = useTranslation('roles');
  const texts = usePermissionTexts();
  const id = useId();
  const name = texts.module(module);
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <section className={classes.module} aria-labelledby={`${id}-name`}>
      <div className={classes.moduleHead}>
        <h2 className={classes.moduleName} id={`${id}-name`}>
          {onFold ? (
            <UnstyledButton className={classes.fold} aria-expanded={open} onClick={() => onFold(module)}>
              <Chevron size={16} aria-hidden="true" />
              {name}
            </UnstyledButton>
          ) : (
            name
          )}
        </h2>
        <ModuleCounts permissions={all} effects={draft.effects} />
        {editable && (
          <Menu position="bottom-end" width={200} withinPortal={false} withInitialFocusPlaceholder={false}>
            <Menu.Target>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={t('matrix.setModuleOf', { name })}
                rightSection={<IconChevronDown size={14} aria-hidden="true" />}
              >
                {shown.length === all.length ? t('matrix.setModule') : t('matrix.setShown', { count: shown.length })}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {EFFECTS.map((effect) => (
                <SetItem
                  key={effect}
                  effect={effect}
                  onClick={() =>
                    draft.set(
                      shown.map(({ key }) => key),
                      effect,
                    )
                  }
                />
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {open && (
        <ul className={classes.rows}>
          {shown.map(({ key, description, is_built_in }) => (
            <MatrixRow
              key={key}
              permission={key}
              name={texts.name(key)}
              text={texts.text(key, description)}
              added={!is_built_in}
              before={effectOf(base, key)}
              effect={effectOf(draft.effects, key)}
              editable={editable}
              problem={problems.get(key)}
              tabStop={key === tabStop}
              onSet={draft.set}
              onCurrent={onCurrent}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function SetItem({ effect, onClick }: { effect: (typeof EFFECTS)[number]; onClick: () => void }) {
  const { t } = useTranslation('permissions');
  const Shape = EFFECT_ICONS[effect];
  return (
    <Menu.Item leftSection={<Shape size={16} aria-hidden="true" />} onClick={onClick}>
      {t(`effect.${effect}`)}
    </Menu.Item>
  );
}

function ModuleCounts({ permissions, effects }: { permissions: Permission[]; effects: Effects }) {
  const { t } = useTranslation('roles');
  const formats = useFormats();
  const counts = countEffects(permissions, effects);
  const words = t('matrix.counts', {
    allow: formats.number(counts.allow),
    deny: formats.number(counts.deny),
    total: formats.number(permissions.length),
  });
  return <span className={classes.counts}>{words}</span>;
}
