import type { ResourceTexts } from '../texts';
import type { ImportField } from './importCalls';

/** The unit behind the name of a field, in brackets. */
const UNIT = /\s*[(（][^)）]*[)）]$/;

/** What a field of a file is called: as in the form of the resource, with the unit in which a file has it. */
export function fieldLabel({ t, has }: ResourceTexts, { name, label }: Pick<ImportField, 'name' | 'label'>): string {
  const own = [name, name.replace(/_id$/, ''), name.replace(/_ids$/, 's')].find((key) => has(`field.${key}`));
  if (!own) return label || name;
  const text = t(`field.${own}`);
  return UNIT.test(text) ? text : text + (UNIT.exec(label)?.[0] ?? '');
}
