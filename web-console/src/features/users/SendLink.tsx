import { Button } from '@mantine/core';
import { IconMailForward } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSendUserLinkMutation } from '@/api/calls/users';
import type { SentLink } from '@/api/generated';
import type { User } from '@/api/types';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import type { MutationResult } from '@/lib/mutationResult';
import { toastSuccess } from '@/lib/toast';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { LinkDialog, type ShownLink } from './LinkDialog';

/** Sends a user another link to get in by: who has never been in an invitation, others one to a new password. */
export function SendLink({ user }: { user: User }) {
  const { t } = useTranslation('users');
  const [asking, setAsking] = useState(false);
  const [shown, setShown] = useState<ShownLink | null>(null);
  const { act, busy, problem, clearProblem } = useMutationFeedback<SentLink>({
    failure: t('link.failed'),
    failsIn: 'place',
  });
  const [sendLink] = useSendUserLinkMutation();
  const purpose = user.status === 'invited' ? 'invitation' : 'password_reset';
  const words = { name: user.name, email: user.email };

  const confirm = async () => {
    const answer = await act(
      () => sendLink({ id: user.id, sendLinkRequest: { purpose } }) as Promise<MutationResult<SentLink>>,
    );
    if (!answer) return;
    setAsking(false);
    const { mailed_to, link, expires_at } = answer.data;
    if (link) setShown({ purpose, ...words, link, expiresAt: expires_at });
    else toastSuccess(t(`link.${purpose}.mailed`, { email: mailed_to ?? user.email }));
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconMailForward size={16} aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {t(`link.${purpose}.send`)}
      </Button>
      <ConfirmDialog
        opened={asking}
        busy={busy}
        problem={problem}
        title={t(`link.${purpose}.question`, words)}
        text={t(`link.${purpose}.consequence`, words)}
        confirmLabel={t(`link.${purpose}.send`)}
        onCancel={() => {
          clearProblem();
          setAsking(false);
        }}
        onConfirm={() => void confirm()}
      />
      <LinkDialog shown={shown} onClose={() => setShown(null)} />
    </>
  );
}
