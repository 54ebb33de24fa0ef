import { useTranslation } from 'react-i18next';
import { usePermissionTexts } from '@/i18n/usePermissionTexts';
import { EffectMark } from './EffectMark';
import { effectOf, type Effects, type Module } from './matrix';
import table from '@/components/PlainTable.module.css';
import classes from './ComparePage.module.css';

interface CompareTableProps {
  modules: Module[];
  names: [string, string];
  sides: readonly [Effects, Effects];
  differs: (permission: { key: string }) => boolean;
}

/** What two roles say of the same permissions. */
export function CompareTable({ modules, names, sides, differs }: CompareTableProps) {
  const { t } = useTranslation('roles');
  const texts = usePermissionTexts();
  return (
    <div className={table.frame} tabIndex={0} role="region" aria-label={t('compare.title')}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col" className={classes.half}>
              {t('field.permission')}
            </th>
            <th scope="col">{names[0]}</th>
            <th scope="col">{names[1]}</th>
          </tr>
        </thead>
        {modules.map(({ module, permissions }) => (
          <tbody key={module}>
            <tr>
              <th scope="rowgroup" colSpan={3} className={classes.module}>
                {texts.module(module)}
              </th>
            </tr>
            {permissions.map((permission) => (
              <tr key={permission.key} data-differs={differs(permission) || undefined}>
                <th scope="row" className={classes.permission}>
                  {texts.name(permission.key)}
                  {differs(permission) && <span className="visually-hidden"> {t('compare.differs')}</span>}
                </th>
                {sides.map((effects, side) => (
                  <td key={names[side] + String(side)}>
                    <EffectMark effect={effectOf(effects, permission.key)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}
