import { DateInput, type DateInputProps } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useFormats } from '@/i18n/useFormats';
import { useCalendar } from './useCalendar';

type Rest = Pick<
  DateInputProps,
  | 'classNames'
  | 'clearable'
  | 'required'
  | 'description'
  | 'error'
  | 'readOnly'
  | 'variant'
  | 'placeholder'
  | 'ref'
  | 'onBlur'
  | 'name'
>;

interface DayInputProps extends Rest {
  label: string;
  /** `2026-11-21`; empty for none. */
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}

/** A day, written and chosen as the language of the screen does: a browser's own field follows the browser's language. */
export function DayInput({ value, min, max, onChange, placeholder, ...rest }: DayInputProps) {
  const { days } = useFormats();
  const calendar = useCalendar();
  return (
    <DateInput
      {...rest}
      {...calendar}
      value={value || null}
      onChange={(day) => onChange(day ?? '')}
      minDate={min}
      maxDate={max}
      valueFormat={(day) => days.write(day)}
      dateParser={(text) => days.read(text) || null}
      placeholder={placeholder ?? days.pattern}
      autoComplete="off"
      inputMode="numeric"
      rightSection={rest.clearable && value ? undefined : <IconCalendar size={18} aria-hidden="true" />}
      rightSectionPointerEvents={rest.clearable && value ? undefined : 'none'}
    />
  );
}
