import { ActionIcon, Button, type MantineSize } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface CopyButtonProps {
  text: string;
  label: string;
  size?: MantineSize | 'compact-sm';
  /** Without words, beside what is copied. */
  iconOnly?: boolean;
}

/** Puts a text onto the clipboard. Browsers have none for pages without TLS; there it is selected and copied by hand. */
export function CopyButton({ text, label, size = 'compact-sm', iconOnly }: CopyButtonProps) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState<string | null>(null);
  const clipboard = (navigator as Partial<Navigator>).clipboard;
  if (!clipboard) return null;
  const isCopied = copied === text;
  const Icon = isCopied ? IconCheck : IconCopy;
  const copy = () => void clipboard.writeText(text).then(() => setCopied(text));
  if (iconOnly) {
    return (
      <>
        <ActionIcon variant="subtle" size={24} onClick={copy} title={label} aria-label={label}>
          <Icon size={16} aria-hidden="true" />
        </ActionIcon>
        <span role="status" className="visually-hidden">
          {isCopied && t('action.copied')}
        </span>
      </>
    );
  }
  return (
    <Button variant="default" size={size} leftSection={<Icon size={16} aria-hidden="true" />} onClick={copy}>
      <span role="status">{isCopied ? t('action.copied') : label}</span>
    </Button>
  );
}
