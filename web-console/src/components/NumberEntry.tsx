import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { useState, type FocusEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { readNumber } from '@/lib/readNumber';

interface NumberEntryProps extends Omit<TextInputProps, 'value' | 'onChange' | 'rightSection' | 'inputMode' | 'type'> {
  /** A number, `''` for none, or a text that is none. */
  value: number | string;
  onChange: (value: number | string) => void;
  /** Digits after the decimal point; none unless told. */
  decimals?: number;
  /** The unit, behind the number. */
  unit?: string;
  error?: ReactNode;
}

/** A field for a number as the language writes it. What is none stays as it was typed, with a word on why. */
export function NumberEntry({ value, onChange, decimals = 0, unit, error, ...props }: NumberEntryProps) {
  const { t } = useTranslation('common');
  const { number, separators } = useFormats();
  const [typing, setTyping] = useState(false);
  const write = (written: number | string) => (typeof written === 'number' ? number(written, decimals) : written);
  const [shown, setShown] = useState(() => ({ value, text: write(value), separators }));
  // Somebody else has put another number there, or numbers are written in another way now.
  if (shown.value !== value || shown.separators !== separators) setShown({ value, text: write(value), separators });
  const { problem } = readNumber(shown.text, separators, decimals);
  const change = (text: string) => {
    const read = readNumber(text, separators, decimals);
    setShown({ value: read.value, text, separators });
    onChange(read.value);
  };
  const leave = (event: FocusEvent<HTMLInputElement>) => {
    setTyping(false);
    setShown({ value, text: write(value), separators });
    props.onBlur?.(event);
  };
  return (
    <TextInput
      {...props}
      value={shown.text}
      onChange={(event) => change(event.currentTarget.value)}
      onFocus={() => setTyping(true)}
      onBlur={leave}
      error={problem && !typing ? t(`number.${problem}`, { ...separators, most: decimals }) : error}
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      rightSection={
        unit && (
          <Text span size="sm" c="dimmed" pr="sm">
            {unit}
          </Text>
        )
      }
      rightSectionPointerEvents="none"
      rightSectionWidth="auto"
    />
  );
}
