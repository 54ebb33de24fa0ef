import { SegmentedControl, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DayInput } from '@/components/DayInput';
import { isWholeDay } from '@/lib/daySpan';
import classes from './Messages.module.css';
import { ANY_MARK, MARK_CHOICES, OUTCOMES, type MarkChoice, type MessagesAddress } from './useMessagesAddress';

const ALL = 'all';

/** Narrows the messages: what became of them, and from which day until which, both of them whole. */
export function MessagesToolbar({ outcome, mark, firstDay, lastDay, set }: MessagesAddress) {
  const { t } = useTranslation('devicePage');
  const day = (name: 'firstDay' | 'lastDay', value: string) => ({
    label: t(`messages.${name}`),
    value,
    classNames: { root: classes.day, label: classes.dayLabel, wrapper: classes.dayField },
    onChange: (typed: string) => {
      if (typed === '' || isWholeDay(typed)) set({ [name]: typed });
    },
  });
  const markName = (choice: MarkChoice) => (choice === ANY_MARK ? t('messages.anyMark') : t(`mark.${choice}`));
  return (
    <div className={classes.bar}>
      <SegmentedControl
        aria-label={t('messages.outcome')}
        className={classes.outcome}
        value={outcome ?? ALL}
        data={[ALL, ...OUTCOMES].map((value) => ({
          value,
          label: t(`messages.${value as (typeof OUTCOMES)[number]}`),
        }))}
        // What was refused has no mark.
        onChange={(value) => set({ outcome: OUTCOMES.find((each) => each === value), mark: undefined })}
      />
      <Select
        aria-label={t('messages.marks')}
        className={classes.mark}
        placeholder={t('messages.allMarks')}
        clearable
        value={mark ?? null}
        data={MARK_CHOICES.map((choice) => ({ value: choice, label: markName(choice) }))}
        onChange={(value) => set({ mark: MARK_CHOICES.find((each) => each === value), outcome: undefined })}
      />
      <DayInput {...day('firstDay', firstDay)} max={lastDay || undefined} />
      <DayInput {...day('lastDay', lastDay)} min={firstDay || undefined} />
    </div>
  );
}
