import { useFormats } from '@/i18n/useFormats';
import type { ResourceKey } from '../registry';
import { useResourceTexts } from '../texts';
import table from '@/components/PlainTable.module.css';
import classes from './Import.module.css';
import type { ImportField, ImportRowError } from './importCalls';

/** What something could not be done to, and why; `row` says where it stands in a file, if it does. */
export type Failure = Omit<ImportRowError, 'row'> & { id: string; row?: number };

interface FailureTableProps {
  of: ResourceKey;
  failures: readonly Failure[];
  /** What the columns of a file can be; without it fields are called as in the resource's own form. */
  fields?: ImportField[];
}

/** What went wrong with each thing or row, cell by cell. */
export function FailureTable({ of, failures, fields = [] }: FailureTableProps) {
  const { t } = useResourceTexts(of);
  const formats = useFormats();
  const ofFile = failures.some(({ row }) => row !== undefined);
  return (
    <table className={`${table.table} ${ofFile ? classes.errors : ''}`}>
      <thead>
        <tr>
          {ofFile && <th scope="col">{t('import.row')}</th>}
          <th scope="col">{t('field.name')}</th>
          <th scope="col">{t('import.wrong')}</th>
        </tr>
      </thead>
      <tbody>
        {failures.map((failure) => (
          <tr key={failure.id}>
            {ofFile && <td className="tabular">{failure.row !== undefined && formats.number(failure.row)}</td>}
            <td>{failure.name || '–'}</td>
            <td>
              <Wrong of={of} failure={failure} fields={fields} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Wrong({ of, failure, fields }: { of: ResourceKey; failure: Failure; fields: ImportField[] }) {
  const { t, has } = useResourceTexts(of);
  const cells = Object.entries(failure.fields ?? {});
  if (cells.length === 0) return failure.message;
  return cells.map(([name, text]) => {
    const own = has(`field.${name}`) ? t(`field.${name}`) : name;
    const { label = own, choices = [] } = fields.find((field) => field.name === name) ?? {};
    return (
      <div key={name}>
        <strong>{label}:</strong> {text} {choices.length > 0 && t('import.choices', { choices: choices.join(', ') })}
      </div>
    );
  });
}
