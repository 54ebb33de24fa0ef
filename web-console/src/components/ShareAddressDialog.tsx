import { Anchor, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconExternalLink, IconShare } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './CopyButton';
import { hideAddress, presentAddress, subscribeAddress, type ShownAddress } from './shareAddress';
import classes from './ShareAddressDialog.module.css';

/** Shows the address of a new share link: this once, since only a hash of it is kept. */
export function ShareAddressDialog() {
  const { t } = useTranslation('shareLinks');
  const shown = useSyncExternalStore(subscribeAddress, presentAddress);
  return (
    <Modal
      opened={shown !== null}
      onClose={hideAddress}
      title={shown && t('shown.title', { name: shown.name })}
      zIndex={300}
      size="lg"
      // Not lost by a key or a click beside it.
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      {shown && <Content {...shown} />}
    </Modal>
  );
}

function Content({ name, address, hasPin }: ShownAddress) {
  const { t } = useTranslation('shareLinks');
  const canShare = 'share' in navigator;
  // Who changes their mind has shared nothing, and that is no error.
  const share = () => navigator.share({ title: name, url: address }).catch(() => undefined);
  return (
    <Stack>
      <Text>{hasPin ? t('shown.textWithPin') : t('shown.text')}</Text>
      <div className={classes.copied}>
        <TextInput
          label={t('shown.address')}
          readOnly
          value={address}
          className={classes.grows}
          onFocus={(event) => event.currentTarget.select()}
          data-autofocus
        />
        <CopyButton text={address} label={t('shown.copy')} size="sm" />
      </div>
      <Text size="sm" c="dimmed">
        {t('shown.once')}
      </Text>
      <Group justify="space-between">
        <Anchor href={address} target="_blank" rel="noopener noreferrer" className={classes.open}>
          <IconExternalLink size={16} aria-hidden="true" />
          {t('shown.open')}
        </Anchor>
        <Group gap="xs">
          {canShare && (
            <Button
              variant="default"
              leftSection={<IconShare size={16} aria-hidden="true" />}
              onClick={() => void share()}
            >
              {t('shown.share')}
            </Button>
          )}
          <Button onClick={hideAddress}>{t('shown.done')}</Button>
        </Group>
      </Group>
    </Stack>
  );
}
