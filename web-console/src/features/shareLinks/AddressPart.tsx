import { Button, Group, Stack, Text } from '@mantine/core';
import { IconLinkOff, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useRenewShareLinkAddressMutation, useRevokeShareLinkMutation } from '@/api/calls/shareLinks';
import type { ShareLink } from '@/api/generated';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { Fact, Facts } from '@/components/Facts';
import { showAddress } from '@/components/shareAddress';
import { TimeAgo } from '@/components/TimeAgo';
import { useFormats } from '@/i18n/useFormats';
import type { MutationResult } from '@/lib/mutationResult';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';

/** Who has been here, and what ends an address. */
export function AddressPart({ row: link }: { row: ShareLink }) {
  const { t } = useTranslation('shareLinks');
  const formats = useFormats();
  const mayChange = mayDo('share-links', 'update', useSelector(selectPerson));
  const { opened_count: opened, last_opened_at: last, status } = link;
  return (
    <Stack>
      <Facts>
        <Fact label={t('field.opened_count')}>{t('times', { count: opened, formatted: formats.number(opened) })}</Fact>
        <Fact label={t('field.last_opened_at')}>{last ? <TimeAgo at={last} /> : t('never')}</Fact>
      </Facts>
      {status === 'revoked' ? (
        <Text c="dimmed">{t('address.revoked')}</Text>
      ) : (
        <>
          <Text c="dimmed">{t('address.text')}</Text>
          {mayChange && (
            <Group gap="xs">
              <RevokeLink link={link} />
              <RenewAddress link={link} />
            </Group>
          )}
        </>
      )}
    </Stack>
  );
}

const callFor = ({ id, row_version: version }: ShareLink) => ({ id, 'If-Match': String(version) });

/** Ends a link for good. */
function RevokeLink({ link }: { link: ShareLink }) {
  const { t } = useTranslation('shareLinks');
  const [asking, setAsking] = useState(false);
  const [revoke] = useRevokeShareLinkMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback({
    done: t('address.revokeDone'),
    failure: t('address.revokeFailed'),
    failsIn: 'place',
  });
  const confirm = async () => {
    if (await act(() => revoke(callFor(link)))) setAsking(false);
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconLinkOff size={16} aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {t('address.revoke')}
      </Button>
      <ConfirmDialog
        opened={asking}
        destructive
        busy={busy}
        problem={problem}
        title={t('address.revokeQuestion', { name: link.name })}
        text={t('address.revokeText')}
        confirmLabel={t('address.revoke')}
        onCancel={() => {
          clearProblem();
          setAsking(false);
        }}
        onConfirm={() => void confirm()}
      />
    </>
  );
}

/** Gives a link another address, since nobody can look the present one up. */
function RenewAddress({ link }: { link: ShareLink }) {
  const { t } = useTranslation('shareLinks');
  const [asking, setAsking] = useState(false);
  const [renew, { reset }] = useRenewShareLinkAddressMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback<ShareLink>({
    failure: t('address.renewFailed'),
    failsIn: 'place',
  });
  const confirm = async () => {
    const answer = await act(() => renew(callFor(link)) as Promise<MutationResult<ShareLink>>);
    if (!answer) return;
    setAsking(false);
    showAddress(answer.data);
    // It stays nowhere but in the dialog.
    reset();
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {t('address.renew')}
      </Button>
      <ConfirmDialog
        opened={asking}
        busy={busy}
        problem={problem}
        title={t('address.renewQuestion', { name: link.name })}
        text={t('address.renewText')}
        confirmLabel={t('address.renew')}
        onCancel={() => {
          clearProblem();
          setAsking(false);
        }}
        onConfirm={() => void confirm()}
      />
    </>
  );
}
