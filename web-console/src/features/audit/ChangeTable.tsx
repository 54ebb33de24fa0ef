import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { usePermissionTexts } from '@/i18n/usePermissionTexts';
import { resourceOfKind } from '@/resource/registry';
import { type ResourceTexts, useResourceTexts } from '@/resource/texts';
import { changedFields, valueText } from './change';
import table from '@/components/PlainTable.module.css';
import classes from './AuditEntry.module.css';

interface Change {
  /** The kind of thing that it was done to, as the audit calls it. */
  of: string;
  before: object | undefined;
  after: object | undefined;
}

/** What an act changed, as it was and as it is. */
export function ChangeTable({ of: kind, before, after }: Change) {
  const { t, has } = useResourceTexts('audit');
  const own = useResourceTexts(resourceOfKind(kind) ?? 'audit');
  const permissions = usePermissionTexts();
  const fields = changedFields(before, after);
  if (fields.length === 0) return <Text c="dimmed">{t('change.none')}</Text>;
  const label = (name: string) => {
    if (has(`fields.${name}`)) return t(`fields.${name}`);
    if (own.has(`field.${name}`)) return own.t(`field.${name}`);
    return name.includes(':') ? permissions.name(name) : name;
  };
  return (
    <section>
      <h3 className={classes.heading}>{t('change.title')}</h3>
      <div className={table.frame}>
        <table className={`${table.table} ${classes.change}`}>
          <thead>
            <tr>
              <th scope="col">{t('change.field')}</th>
              {before && <th scope="col">{t('change.before')}</th>}
              {after && <th scope="col">{t('change.after')}</th>}
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.name}>
                <th scope="row">{label(field.name)}</th>
                {before && (
                  <td>
                    <Value of={field.name} value={field.before} texts={own} tag={after ? 'del' : 'span'} />
                  </td>
                )}
                {after && (
                  <td>
                    <Value of={field.name} value={field.after} texts={own} tag={before ? 'ins' : 'span'} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const EFFECTS = ['none', 'allow', 'deny'] as const;
const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

interface ValueProps {
  of: string;
  value: unknown;
  /** Those of the thing, which has words for what it can be chosen to be. */
  texts: ResourceTexts;
  tag: 'del' | 'ins' | 'span';
}

function Value({ of: name, value, texts, tag: Tag }: ValueProps) {
  const { t } = useTranslation('audit');
  const { t: permissions } = useTranslation('permissions');
  const formats = useFormats();
  const words = () => {
    if (typeof value === 'boolean') return value ? t('change.yes') : t('change.no');
    const effect = name.includes(':') ? EFFECTS.find((each) => each === value) : undefined;
    if (effect) return permissions(`effect.${effect}`);
    if (typeof value === 'string' && texts.has(`${name}.${value}`)) return texts.t(`${name}.${value}`);
    return typeof value === 'string' && INSTANT.test(value) ? formats.dateTime(value) : valueText(value);
  };
  if (value === undefined || value === null || value === '') return <span aria-label={t('change.nothing')}>–</span>;
  return <Tag>{words()}</Tag>;
}
