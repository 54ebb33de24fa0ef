import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '@/components/CopyButton';
import { Fact, Facts } from '@/components/Facts';
import classes from './Gateways.module.css';

/** What the server listens on for gateways, unless somebody has changed that. */
const NATS_PORT = 4222;

/** A secret, in the one moment in which it can be seen. */
export interface ShownSecret {
  name: string;
  secret: string;
}

let present: ShownSecret | null = null;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows the secret of a gateway, whatever becomes of the drawer that it was made in. */
export function showSecret(secret: ShownSecret | null): void {
  present = secret;
  for (const each of listeners) each();
}

/** Where secrets are shown that a form has made, which is closed by then. */
export function SecretHost() {
  const shown = useSyncExternalStore(subscribe, () => present);
  return <SecretDialog shown={shown} onClose={() => showSecret(null)} />;
}

/** Shows a secret until somebody says that they have it: it is shown this once. */
export function SecretDialog({ shown, onClose }: { shown: ShownSecret | null; onClose: () => void }) {
  const { t } = useTranslation('gateways');
  return (
    <Modal
      opened={shown !== null}
      onClose={onClose}
      title={shown && t('shown.title', { name: shown.name })}
      zIndex={300}
      size="lg"
      // Not lost by a key or a click beside it.
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      {shown && <Content {...shown} onClose={onClose} />}
    </Modal>
  );
}

function Content({ name, secret, onClose }: ShownSecret & { onClose: () => void }) {
  const { t } = useTranslation('gateways');
  const [isSaved, setSaved] = useState(false);
  const address = `nats://${name}:${secret}@${window.location.hostname}:${NATS_PORT}`;
  return (
    <Stack>
      <Text>{t('shown.text')}</Text>
      <Copied label={t('shown.secret')} copy={t('shown.copySecret')} value={secret} first />
      <Copied
        label={t('shown.address')}
        description={t('shown.addressHelp')}
        copy={t('shown.copyAddress')}
        value={address}
      />
      <Facts>
        <Fact label={t('shown.subject')}>
          <span className={classes.code}>{`gps.${name}.<imei>`}</span>
        </Fact>
        <Fact label={t('shown.inbox')}>
          <span className={classes.code}>{`_INBOX_${name}`}</span>
        </Fact>
      </Facts>
      <Checkbox
        label={t('shown.saved')}
        checked={isSaved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!isSaved} onClick={onClose}>
          {t('shown.done')}
        </Button>
      </Group>
    </Stack>
  );
}

interface CopiedProps {
  label: string;
  description?: string;
  /** What the button says that copies it. */
  copy: string;
  value: string;
  first?: boolean;
}

/** Something to take elsewhere; where the browser copies nothing, it is chosen for copying by hand. */
const Copied = ({ label, description, copy, value, first }: CopiedProps) => (
  <div className={classes.copied}>
    <TextInput
      label={label}
      description={description}
      readOnly
      value={value}
      classNames={{ input: classes.code }}
      className={classes.grows}
      onFocus={(event) => event.currentTarget.select()}
      data-autofocus={first}
    />
    <CopyButton text={value} label={copy} size="sm" />
  </div>
);
