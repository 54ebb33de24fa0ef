import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageKeys } from '@/lib/pageKeys';

const TYPING_MS = 250;

interface SearchInputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  disabled?: boolean;
  onFocus?: () => void;
}

/** A search field that reports what was typed once the typing pauses. `/` leads to it, Enter and Escape away from it. */
export function SearchInput(props: SearchInputProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(props.value);
  const [known, setKnown] = useState(props.value);
  const [reported, setReported] = useState(props.value);
  if (props.value !== known) {
    setKnown(props.value);
    // What was reported comes back after more was typed. Anything else came from the address bar or the back button.
    if (props.value !== reported) {
      setReported(props.value);
      if (props.value !== text.trim()) setText(props.value);
    }
  }
  const report = useDebouncedCallback((value: string) => {
    setReported(value);
    props.onChange(value);
  }, TYPING_MS);
  const change = (value: string) => {
    setText(value);
    report(value.trim());
  };
  usePageKeys({
    '/': (event) => {
      // Not into the field itself.
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    },
  });
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Browsers empty a search field on Escape.
    event.preventDefault();
    event.stopPropagation();
    report.flush();
    input.current?.blur();
  };
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={props.label}
      aria-keyshortcuts="/"
      placeholder={props.label}
      disabled={props.disabled}
      onFocus={props.onFocus}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={leave}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      rightSection={text && <CloseButton size="sm" aria-label={t('action.clear')} onClick={() => change('')} />}
      maw={360}
      flex={1}
    />
  );
}
