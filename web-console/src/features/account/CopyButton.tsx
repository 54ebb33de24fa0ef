import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Puts a text onto the clipboard. Browsers have none for pages without TLS; there it is selected and copied by hand. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation('account');
  const [copied, setCopied] = useState(false);
  const clipboard = (navigator as Partial<Navigator>).clipboard;
  if (!clipboard) return null;
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<Icon size={16} aria-hidden="true" />}
      onClick={() => void clipboard.writeText(text).then(() => setCopied(true))}
    >
      <span role="status">{copied ? t('copied') : label}</span>
    </Button>
  );
}
