import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DayInput } from '../DayInput';
import classes from './Meters.module.css';
import type { useSince } from './useSince';

interface SinceFieldsProps {
  since: ReturnType<typeof useSince>;
  /** That it was another moment than now, and what follows. */
  label: string;
  help: string;
}

/** Fields for a day and a time of it, where it is not now. */
export function SinceFields({ since, label, help }: SinceFieldsProps) {
  const { t } = useTranslation('meters');
  return (
    <Stack gap="xs">
      <Checkbox
        label={label}
        description={help}
        checked={since.isOther}
        onChange={(event) => since.setOther(event.currentTarget.checked)}
      />
      {since.isOther && (
        <div className={classes.moment}>
          <DayInput label={t('correct.day')} required max={since.today} value={since.day} onChange={since.setDay} />
          <TextInput
            label={t('correct.clock')}
            required
            placeholder={t('correct.clockExample')}
            inputMode="numeric"
            autoComplete="off"
            error={
              since.clock !== '' &&
              since.at === undefined &&
              !/^\d{0,2}[:.]?\d?$/.test(since.clock) &&
              t('correct.noClock')
            }
            value={since.clock}
            onChange={(event) => since.setClock(event.currentTarget.value)}
          />
        </div>
      )}
    </Stack>
  );
}
