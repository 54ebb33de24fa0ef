import { Badge } from '@mantine/core';
import { memo, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { EFFECT_ICONS, EffectMark } from './EffectMark';
import { EFFECTS, type RoleEffect } from './matrix';
import classes from './PermissionMatrix.module.css';

interface MatrixRowProps {
  permission: string;
  name: string;
  text: string;
  /** A platform owner has added it. */
  added: boolean;
  before: RoleEffect;
  effect: RoleEffect;
  editable: boolean;
  problem: string | undefined;
  tabStop: boolean;
  onSet: (keys: string[], effect: RoleEffect) => void;
  onCurrent: (key: string) => void;
}

/** A permission and what the role says of it. There may be hundreds, so that only those that change are drawn again. */
export const MatrixRow = memo(function MatrixRow(props: MatrixRowProps) {
  const { permission, name, text, added, before, effect, editable, problem, tabStop, onSet, onCurrent } = props;
  const { t } = useTranslation('roles');
  const { t: words } = useTranslation('permissions');
  const id = useId();
  const changed = before !== effect;
  return (
    <li className={classes.row} data-changed={changed || undefined}>
      <div className={classes.words}>
        <div className={classes.name}>
          <span id={`${id}-name`}>{name}</span>
          {name !== permission && <code className={classes.key}>{permission}</code>}
          {added && (
            <Badge variant="default" size="sm" radius="sm">
              {words('kind.added')}
            </Badge>
          )}
        </div>
        <div id={`${id}-text`} className={classes.text}>
          {text}
          {changed && <span className={classes.was}>{t('matrix.was', { effect: words(`effect.${before}`) })}</span>}
        </div>
        {problem && (
          <div id={`${id}-problem`} className={classes.problem} role="note">
            {problem}
          </div>
        )}
      </div>
      {editable ? (
        <div
          role="radiogroup"
          className={classes.choice}
          aria-labelledby={`${id}-name`}
          aria-describedby={problem ? `${id}-text ${id}-problem` : `${id}-text`}
          data-permission={permission}
          onFocus={() => onCurrent(permission)}
        >
          {EFFECTS.map((each) => {
            const Shape = EFFECT_ICONS[each];
            return (
              <label key={each} className={classes.segment} data-effect={each}>
                <input
                  type="radio"
                  className={classes.radio}
                  name={`effect of ${permission}`}
                  value={each}
                  checked={each === effect}
                  tabIndex={tabStop ? 0 : -1}
                  onChange={() => onSet([permission], each)}
                />
                <Shape size={16} stroke={2.25} aria-hidden="true" />
                <span>{words(`effect.${each}`)}</span>
              </label>
            );
          })}
        </div>
      ) : (
        <EffectMark effect={effect} />
      )}
    </li>
  );
});
