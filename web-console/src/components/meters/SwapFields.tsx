import { useTranslation } from 'react-i18next';
import { NumberEntry } from '../NumberEntry';
import { isNegative, type Typed } from './figures';
import classes from './Meters.module.css';

interface SwapFieldsProps {
  /** Of the old tracker, and of the new one. */
  labels: readonly [string, string];
  unit: string;
  values: readonly [Typed, Typed];
  onChange: (values: [Typed, Typed]) => void;
}

/** What a meter of the old tracker showed last, and that of the new one first: both, or neither. */
export function SwapFields({ labels, unit, values: [before, after], onChange }: SwapFieldsProps) {
  const { t } = useTranslation('meters');
  const { t: common } = useTranslation('common');
  const problem = (typed: Typed, other: Typed) =>
    (isNegative(typed) && common('number.negative')) || (typed === '' && other !== '' && t('replace.both'));
  return (
    <div className={classes.pair}>
      <NumberEntry
        decimals={1}
        label={labels[0]}
        unit={unit}
        value={before}
        error={problem(before, after)}
        onChange={(typed) => onChange([typed, after])}
      />
      <NumberEntry
        decimals={1}
        label={labels[1]}
        unit={unit}
        value={after}
        error={problem(after, before)}
        onChange={(typed) => onChange([before, typed])}
      />
    </div>
  );
}
