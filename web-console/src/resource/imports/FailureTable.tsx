import { useFormats } from '@/i18n/useFormats';
import type { ResourceKey } from '../registry';
import { useResourceTexts } from '../texts';
import table from '@/components/PlainTable.module.css';
import { fieldLabel } from './fieldLabel';
import classes from './Import.module.css';
import type { ImportField, ImportRowError } from './importCalls';

/** What something could not be done to, and why; `row` says where it stands in a file, if it does. */
export type Failure = Omit<ImportRowError, 'row'> & { id: string; row?: number };

interface FailureTableProps {
  of: ResourceKey;
  failures: readonly Failure[];
  /** What the columns of a file can be; without it fields are called as in the resource's own form. */
  fields?: ImportField[];
  /** The names of the fields in the order of the file's columns: wrong cells stand in it. */
  columns?: readonly string[];
}

/** What went wrong with each thing or row, cell by cell. */
export function FailureTable({ of, failures, fields = [], columns = [] }: FailureTableProps) {
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
              <Wrong of={of} failure={failure} fields={fields} columns={columns} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface WrongProps extends Required<Pick<FailureTableProps, 'of' | 'fields' | 'columns'>> {
  failure: Failure;
}

/** In the order of the columns; what the file does not have comes last. */
const inOrder = (cells: [string, string][], columns: readonly string[]) => {
  const place = (name: string) => (columns.includes(name) ? columns.indexOf(name) : columns.length);
  return cells.toSorted(([one], [other]) => place(one) - place(other));
};

/** Every wrong cell: what stands there, what is wrong with it, and what would do. */
function Wrong({ of, failure, fields, columns }: WrongProps) {
  const texts = useResourceTexts(of);
  const { t } = texts;
  const cells = inOrder(Object.entries(failure.fields ?? {}), columns);
  if (cells.length === 0) return failure.message;
  return cells.map(([name, text]) => {
    const field = fields.find((field) => field.name === name);
    const [value, proposal] = [failure.values?.[name], failure.proposals?.[name]];
    const choices = field?.choices ?? [];
    return (
      <div key={name}>
        <strong>{fieldLabel(texts, field ?? { name, label: '' })}:</strong>{' '}
        {value && <span className={classes.value}>{value}</span>} {text}{' '}
        {choices.length > 0 && t('import.choices', { choices: choices.join(', ') })}
        {proposal && t('import.proposed', { proposal })}
      </div>
    );
  });
}
