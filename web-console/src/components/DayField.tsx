import { ActionIcon, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import classes from './DayField.module.css';

interface DayFieldProps {
  label: string;
  /** `2026-11-21`; empty for none. */
  value: string;
  min?: string;
  max?: string;
  classNames?: { root?: string; label?: string };
  onChange: (day: string) => void;
}

/**
 * A day, written as the language of the screen writes days. A browser's own field follows the language of the browser;
 * its calendar is lent for choosing.
 */
export function DayField({ label, value, min, max, classNames, onChange }: DayFieldProps) {
  const { t } = useTranslation();
  const { days } = useFormats();
  const shown = value && days.write(value);
  const [typed, setTyped] = useState<string | null>(null);
  const calendar = useRef<HTMLInputElement>(null);
  const day = typed === null ? value : days.read(typed);
  const isWrong =
    day === null || (day !== '' && ((min !== undefined && day < min) || (max !== undefined && day > max)));
  const leave = () => {
    if (typed === null || isWrong) return;
    setTyped(null);
    if (day !== value) onChange(day);
  };
  return (
    <div className={classes.field}>
      <TextInput
        label={label}
        placeholder={days.pattern}
        inputMode="numeric"
        autoComplete="off"
        value={typed ?? shown}
        error={typed !== null && isWrong}
        classNames={classNames}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={leave}
        onKeyDown={(event) => event.key === 'Enter' && leave()}
        rightSection={
          <ActionIcon
            aria-label={t('action.chooseDay', { name: label })}
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={18} aria-hidden="true" />
          </ActionIcon>
        }
      />
      <input
        ref={calendar}
        type="date"
        className={classes.calendar}
        tabIndex={-1}
        aria-hidden="true"
        value={value}
        min={min}
        max={max}
        onChange={(event) => {
          setTyped(null);
          onChange(event.currentTarget.value);
        }}
      />
    </div>
  );
}
