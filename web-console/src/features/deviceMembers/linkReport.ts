import type { LinkDevicesReport, LinkDevicesRequest, LinkedDevice } from '@/api/generated';
import type { StatusTone } from '@/components/StatusBadge';

/** What becomes of a device, in the order in which it is told. */
export const OUTCOMES = [
  'linked',
  'unlinked',
  'already_linked',
  'already_owned',
  'not_linked',
  'not_found',
  'forbidden',
] as const;
/** One of them. */
export type Outcome = (typeof OUTCOMES)[number];

/** What each means: done, left as it is, or not to be done. */
export const OUTCOME_TONES: Record<Outcome, StatusTone> = {
  linked: 'positive',
  unlinked: 'positive',
  already_linked: 'neutral',
  already_owned: 'neutral',
  not_linked: 'neutral',
  not_found: 'negative',
  forbidden: 'negative',
};

/** The outcome of a device; undefined for one that a newer server told. */
export const outcomeOf = ({ outcome }: LinkedDevice): Outcome | undefined => OUTCOMES.find((each) => each === outcome);

/** How many devices each outcome has, without those that none has. */
export const countsOf = (items: readonly LinkedDevice[]): { outcome: Outcome; count: number }[] =>
  OUTCOMES.map((outcome) => ({ outcome, count: items.filter((item) => item.outcome === outcome).length })).filter(
    ({ count }) => count > 0,
  );

/** The message that a report comes to: a key below `message`. */
export type ReportMessage = 'done' | 'partial' | 'failed' | 'allLinked' | 'nothingNew' | 'unchanged';

/**
 * What a report comes to as a whole. `fromUsers` says that all devices of some users were to be linked, not chosen ones.
 */
export function messageOf(
  { items, succeeded, skipped, failed }: LinkDevicesReport,
  fromUsers: boolean,
): { name: ReportMessage; tone: StatusTone } {
  if (succeeded > 0 && skipped + failed === 0) return { name: 'done', tone: 'positive' };
  if (succeeded > 0) return { name: 'partial', tone: failed > 0 ? 'warning' : 'positive' };
  if (failed > 0) return { name: 'failed', tone: 'negative' };
  if (items.some(({ outcome }) => outcome === 'not_linked')) return { name: 'unchanged', tone: 'info' };
  // Nothing at all was to be done where users own nothing.
  return { name: fromUsers || items.length === 0 ? 'nothingNew' : 'allLinked', tone: 'info' };
}

/** What was asked for, and what would come of it. */
export interface Plan {
  request: LinkDevicesRequest;
  report: LinkDevicesReport;
}

/** A cell of a CSV file. What a spreadsheet would take for a formula is text. */
const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** Rows as a CSV file that spreadsheets open with the right letters. */
export const csvOf = (rows: readonly (readonly string[])[]): Blob =>
  new Blob(['\uFEFF', ...rows.map((row) => `${row.map(cell).join(',')}\r\n`)], { type: 'text/csv;charset=utf-8' });
