import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';

/** A link that was not mailed: whoever made it has to hand it over. */
export interface ShownLink {
  purpose: 'invitation' | 'password_reset';
  name: string;
  email: string;
  link: string;
  expiresAt: string;
}

let present: ShownLink | null = null;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows a link, whatever becomes of the drawer that it was made in. */
export function showLink(link: ShownLink | null): void {
  present = link;
  for (const each of listeners) each();
}

/** Where links are shown that a form has made, which is closed by then. */
export function LinkHost() {
  const shown = useSyncExternalStore(subscribe, () => present);
  return <LinkDialog shown={shown} onClose={() => showLink(null)} />;
}

/** Shows a link until somebody says that they have it: it is shown this once. */
export function LinkDialog({ shown, onClose }: { shown: ShownLink | null; onClose: () => void }) {
  return (
    <Modal
      opened={shown !== null}
      onClose={onClose}
      title={<LinkTitle shown={shown} />}
      zIndex={300}
      // Not lost by a key or a click beside it.
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      {shown && <Content shown={shown} onClose={onClose} />}
    </Modal>
  );
}

function LinkTitle({ shown }: { shown: ShownLink | null }) {
  const { t } = useTranslation('users');
  return shown && t(`link.${shown.purpose}.title`, { name: shown.name });
}

function Content({ shown, onClose }: { shown: ShownLink; onClose: () => void }) {
  const { t } = useTranslation('users');
  const formats = useFormats();
  // A server that does not know its public address gives the path alone; here it is the one that this page came from.
  const link = new URL(shown.link, window.location.href).href;
  const field = useRef<HTMLInputElement>(null);
  const { copy, copied, error } = useClipboard({ timeout: 4_000 });
  // On pages without TLS browsers copy nothing for a page.
  useEffect(() => {
    if (error) field.current?.select();
  }, [error]);
  return (
    <Stack>
      <Text>{t(`link.${shown.purpose}.text`, { name: shown.name, email: shown.email })}</Text>
      <TextInput
        label={t('link.label')}
        description={t('link.expires', { at: formats.dateTime(shown.expiresAt) })}
        ref={field}
        error={error && t('link.copyByHand')}
        readOnly
        value={link}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Text size="sm" fw={500}>
        {t('link.secret')}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button
          data-autofocus
          leftSection={copied ? <IconCheck size={16} aria-hidden="true" /> : <IconCopy size={16} aria-hidden="true" />}
          onClick={() => copy(link)}
        >
          <span aria-live="polite">{copied ? t('link.copied') : t('link.copy')}</span>
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('link.done')}
        </Button>
      </Group>
    </Stack>
  );
}
