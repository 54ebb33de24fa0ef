import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

const TYPING_MS = 250;

/** A search field that reports what was typed once the typing pauses. */
export function SearchInput(props: { label: string; value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(props.value);
  const [known, setKnown] = useState(props.value);
  if (props.value !== known) {
    // The value came from elsewhere: the address bar or the back button.
    setKnown(props.value);
    if (props.value !== text.trim()) setText(props.value);
  }
  const report = useDebouncedCallback(props.onChange, TYPING_MS);
  const change = (value: string) => {
    setText(value);
    report(value.trim());
  };
  return (
    <TextInput
      type="search"
      aria-label={props.label}
      placeholder={props.label}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      rightSection={text && <CloseButton size="sm" aria-label={t('action.clear')} onClick={() => change('')} />}
      maw={360}
      flex={1}
    />
  );
}
