import { TextInput } from '@mantine/core';
import { useState } from 'react';

interface ClockInputProps {
  label: string;
  /** As the language writes it; empty for none. */
  value: string;
  readOnly: boolean;
  /** `17:05`. */
  onChange: (time: string) => void;
}

/** A time of day of 24 hours: a browser's own field follows the browser's language. */
export function ClockInput({ label, value, readOnly, onChange }: ClockInputProps) {
  // What is typed stays as it is until one leaves.
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      label={label}
      w={96}
      value={typed ?? value}
      readOnly={readOnly}
      variant={readOnly ? 'unstyled' : undefined}
      inputMode="numeric"
      autoComplete="off"
      maxLength={5}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        const time = readClock(text);
        if (time) onChange(time);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

/** `5.07`, `05:07` or `0507` as `05:07`; null for what is no time. */
function readClock(text: string): string | null {
  const [, hours = '', minutes = ''] = /^(\d{1,2})[:.]?(\d{2})$/.exec(text.trim()) ?? [];
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) return null;
  return `${hours.padStart(2, '0')}:${minutes}`;
}
