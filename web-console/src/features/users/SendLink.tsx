import { Button } from '@mantine/core';
import { IconMailForward } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSendUserLinkMutation } from '@/api/api';
import type { SentLink } from '@/api/generated';
import type { User } from '@/api/types';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { actErrorText } from '@/i18n/errorText';
import type { MutationResult } from '@/lib/mutationResult';
import { toastSuccess } from '@/lib/toast';
import type { ShownLink } from './LinkDialog';

/** Sends a user another link to get in by: who has never been in an invitation, others one to a new password. */
export function SendLink({ user, onLink }: { user: User; onLink: (link: ShownLink) => void }) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation('common');
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [sendLink] = useSendUserLinkMutation();
  const purpose = user.status === 'invited' ? 'invitation' : 'password_reset';
  const words = { name: user.name, email: user.email };

  const confirm = async () => {
    setBusy(true);
    setProblem(null);
    const answer = (await sendLink({ id: user.id, sendLinkRequest: { purpose } })) as MutationResult<SentLink>;
    setBusy(false);
    if (!answer.data) return setProblem(`${t('link.failed')} ${actErrorText(answer.error, common)}`);
    setAsking(false);
    const { mailed_to, link, expires_at } = answer.data;
    if (link) onLink({ purpose, ...words, link, expiresAt: expires_at });
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
          setProblem(null);
          setAsking(false);
        }}
        onConfirm={() => void confirm()}
      />
    </>
  );
}
