import { useTranslation } from 'react-i18next';
import { Fact, Facts } from '@/components/Facts';
import { useFormats } from '@/i18n/useFormats';

/** Numbers that say nothing below this: 0 is no limit, and the last reminder comes when the last day is over. */
const MIN_VALUES: Record<string, number> = { due_odometer: 1, due_engine_hours: 1, lead_days: 0 };
const DAY = /^\d{4}-\d\d-\d\d$/;

/** What else the server says of an event, e.g. until when a document is good. What has no words is called as it says. */
export function DetailFacts({ details }: { details: object | undefined }) {
  const { t, i18n } = useTranslation(['events', 'documents', 'maintenance']);
  const formats = useFormats();
  const isThere = ([name, value]: [string, unknown]) =>
    value !== null && value !== '' && !(typeof value === 'number' && value < (MIN_VALUES[name] ?? -Infinity));
  const label = (name: string) =>
    i18n.exists(`events:details.${name}`) ? t(`details.${name}` as 'details.number') : name;
  /** What one of a few values is called where the things themselves are shown. */
  const named = (key: string, value: string) => (i18n.exists(key) ? t(key as 'maintenance:state.due') : value);
  const valueText = (name: string, value: unknown) => {
    if (typeof value === 'number') return formats.number(value, 1);
    if (typeof value !== 'string') return JSON.stringify(value);
    if (DAY.test(value)) return formats.date(value);
    if (name === 'kind') return named(`documents:kind.${value}`, value);
    return name === 'state' || name === 'priority' ? named(`maintenance:${name}.${value}`, value) : value;
  };
  const facts = Object.entries(details ?? {}).filter(isThere);
  if (facts.length === 0) return null;
  return (
    <Facts>
      {facts.map(([name, value]) => (
        <Fact key={name} label={label(name)}>
          {valueText(name, value)}
        </Fact>
      ))}
    </Facts>
  );
}
