import { Button, type MantineSize } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Puts a text onto the clipboard. Browsers have none for pages without TLS; there it is selected and copied by hand. */
export function CopyButton({
  text,
  label,
  size = 'compact-sm',
}: {
  text: string;
  label: string;
  size?: MantineSize | 'compact-sm';
}) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const clipboard = (navigator as Partial<Navigator>).clipboard;
  if (!clipboard) return null;
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button
      variant="default"
      size={size}
      leftSection={<Icon size={16} aria-hidden="true" />}
      onClick={() => void clipboard.writeText(text).then(() => setCopied(true))}
    >
      <span role="status">{copied ? t('action.copied') : label}</span>
    </Button>
  );
}
