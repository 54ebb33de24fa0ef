import { IconBan, IconCheck, IconMinus, type Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './EffectMark.module.css';
import type { RoleEffect } from './matrix';

/** Shapes that are told apart without their colours. */
export const EFFECT_ICONS: Record<RoleEffect, Icon> = { none: IconMinus, allow: IconCheck, deny: IconBan };

/** What a role says of a permission, as a shape and a word. */
export function EffectMark({ effect }: { effect: RoleEffect }) {
  const { t } = useTranslation('permissions');
  const Shape = EFFECT_ICONS[effect];
  return (
    <span className={classes.mark} data-effect={effect}>
      <Shape size={16} stroke={2.25} aria-hidden="true" className={classes.shape} />
      {t(`effect.${effect}`)}
    </span>
  );
}
