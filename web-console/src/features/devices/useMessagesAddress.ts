import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { addDays, dayBegins } from '@/i18n/timeZone';
import type { MessageOutcome } from '@/api/generated';
import { useAddress } from '@/lib/address';
import { FIX_MARKS, UNCOUNTED_MARKS, type GivenMark } from '@/lib/fixMarks';
import { selectTimeZone } from '@/session/sessionSlice';

/** What messages can be narrowed to. */
export const OUTCOMES = ['accepted', 'refused'] as const satisfies readonly MessageOutcome[];

/** All fixes that cannot be believed. */
export const ANY_MARK = 'any';
/** To which marks messages can be narrowed. */
export const MARK_CHOICES = [ANY_MARK, ...FIX_MARKS] as const;
/** One of these choices. */
export type MarkChoice = (typeof MARK_CHOICES)[number];

/** What of the messages stands in the address. */
interface Chosen {
  outcome: (typeof OUTCOMES)[number];
  mark: MarkChoice;
  /** Days, both of them whole. */
  firstDay: string;
  lastDay: string;
  /** Where the page begins. */
  cursor: string;
}

type Change = Partial<Chosen>;

/** What is shown of the messages, and as the call takes it. */
export interface MessagesAddress {
  outcome?: Chosen['outcome'];
  mark?: MarkChoice;
  /** What that comes to. */
  marks?: GivenMark[];
  firstDay: string;
  lastDay: string;
  cursor?: string;
  from?: string;
  to?: string;
  set: (change: { [K in keyof Change]: Change[K] | undefined }) => void;
}

const NAMES: Record<keyof Chosen, string> = {
  outcome: 'outcome',
  mark: 'mark',
  firstDay: 'from',
  lastDay: 'to',
  cursor: 'cursor',
};

/** Which messages are shown, kept in the address. Whatever else is chosen is shown from its newest on. */
export function useMessagesAddress(): MessagesAddress {
  const { search, change } = useAddress();
  const timeZone = useSelector(selectTimeZone);
  return useMemo(() => {
    const [firstDay, lastDay] = [search.get(NAMES.firstDay) ?? '', search.get(NAMES.lastDay) ?? ''];
    const mark = MARK_CHOICES.find((choice) => choice === search.get(NAMES.mark));
    const begins = (day: string) => (day ? dayBegins(day, timeZone)?.toISOString() : undefined);
    return {
      outcome: OUTCOMES.find((outcome) => outcome === search.get(NAMES.outcome)),
      mark,
      marks: mark && (mark === ANY_MARK ? [...UNCOUNTED_MARKS] : [mark]),
      firstDay,
      lastDay,
      cursor: search.get(NAMES.cursor) ?? undefined,
      from: begins(firstDay),
      to: begins(lastDay) && begins(addDays(lastDay, 1)),
      set: (values) =>
        change(
          (next) => {
            next.delete(NAMES.cursor);
            for (const [name, value] of Object.entries(values)) {
              if (value) next.set(NAMES[name as keyof Chosen], value);
              else next.delete(NAMES[name as keyof Chosen]);
            }
          },
          'cursor' in values ? 'push' : 'replace',
        ),
    };
  }, [search, change, timeZone]);
}
