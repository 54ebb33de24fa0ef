import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DayInput } from '@/components/DayInput';
import { isWholeDay } from '@/lib/daySpan';
import classes from './Messages.module.css';
import { OUTCOMES, type MessagesAddress } from './useMessagesAddress';

const ALL = 'all';

/** Narrows the messages: what became of them, and from which day until which, both of them whole. */
export function MessagesToolbar({ outcome, firstDay, lastDay, set }: MessagesAddress) {
  const { t } = useTranslation('devicePage');
  const day = (name: 'firstDay' | 'lastDay', value: string) => ({
    label: t(`messages.${name}`),
    value,
    classNames: { root: classes.day, label: classes.dayLabel, wrapper: classes.dayField },
    onChange: (typed: string) => {
      if (typed === '' || isWholeDay(typed)) set({ [name]: typed });
    },
  });
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
        onChange={(value) => set({ outcome: OUTCOMES.find((each) => each === value) })}
      />
      <DayInput {...day('firstDay', firstDay)} max={lastDay || undefined} />
      <DayInput {...day('lastDay', lastDay)} min={firstDay || undefined} />
    </div>
  );
}
