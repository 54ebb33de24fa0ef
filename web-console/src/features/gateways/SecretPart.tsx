import { Button, Group, Stack, Text } from '@mantine/core';
import { IconKey, IconKeyOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useRetireGatewaySecretMutation, useRotateGatewaySecretMutation } from '@/api/calls/gateways';
import type { Gateway } from '@/api/generated';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { Fact, Facts } from '@/components/Facts';
import { TimeAgo } from '@/components/TimeAgo';
import { useFormats } from '@/i18n/useFormats';
import type { MutationResult } from '@/lib/mutationResult';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import { SecretDialog, type ShownSecret } from './SecretDialog';

/** What a gateway connects with: how old it is, whether it is used, and how it is changed without a break. */
export function SecretPart({ row: gateway }: { row: Gateway }) {
  const { t } = useTranslation('gateways');
  const formats = useFormats();
  const mayChange = mayDo('gateways', 'update', useSelector(selectPerson));
  if (gateway.is_anonymous) return <Text c="dimmed">{t('secret.none')}</Text>;
  const { secret_created_at: made, secret_used_at: used, previous_secret_used_at: formerUsed } = gateway;
  return (
    <Stack>
      <Text c="dimmed">{t('secret.text')}</Text>
      <Facts>
        <Fact label={t('secret.created')}>{made && formats.dateTime(made)}</Fact>
        <Fact label={t('secret.used')}>{used ? <TimeAgo at={used} /> : t('never')}</Fact>
        {gateway.has_previous_secret && (
          <Fact label={t('secret.formerUsed')}>{formerUsed ? <TimeAgo at={formerUsed} /> : t('never')}</Fact>
        )}
      </Facts>
      {gateway.has_previous_secret && <Text>{t('secret.formerValid')}</Text>}
      {mayChange && (
        <Group gap="xs">
          <RotateSecret gateway={gateway} />
          {gateway.has_previous_secret && <RetireSecret gateway={gateway} />}
        </Group>
      )}
    </Stack>
  );
}

const callFor = ({ id, row_version: version }: Gateway) => ({ id, 'If-Match': String(version) });

/** Makes a new secret; the one before goes on to be valid until somebody ends it. */
function RotateSecret({ gateway }: { gateway: Gateway }) {
  const { t } = useTranslation('gateways');
  const [asking, setAsking] = useState(false);
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const [rotate, { reset }] = useRotateGatewaySecretMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback<Gateway>({
    failure: t('secret.rotateFailed'),
    failsIn: 'place',
  });
  const confirm = async () => {
    const answer = await act(() => rotate(callFor(gateway)) as Promise<MutationResult<Gateway>>);
    if (!answer) return;
    setAsking(false);
    setShown({ name: gateway.name, secret: answer.data.secret ?? '' });
    // It stays nowhere but in the dialog.
    reset();
  };
  return (
    <>
      <Button variant="default" leftSection={<IconKey size={16} aria-hidden="true" />} onClick={() => setAsking(true)}>
        {t('secret.rotate')}
      </Button>
      <ConfirmDialog
        opened={asking}
        busy={busy}
        problem={problem}
        title={t('secret.rotateQuestion', { name: gateway.name })}
        text={gateway.has_previous_secret ? t('secret.rotateAgainText') : t('secret.rotateText')}
        confirmLabel={t('secret.rotate')}
        onCancel={() => {
          clearProblem();
          setAsking(false);
        }}
        onConfirm={() => void confirm()}
      />
      <SecretDialog shown={shown} onClose={() => setShown(null)} />
    </>
  );
}

/** Ends the former secret. */
function RetireSecret({ gateway }: { gateway: Gateway }) {
  const { t } = useTranslation('gateways');
  const [asking, setAsking] = useState(false);
  const [retire] = useRetireGatewaySecretMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback({
    done: t('secret.retired'),
    failure: t('secret.retireFailed'),
    failsIn: 'place',
  });
  const confirm = async () => {
    if (await act(() => retire(callFor(gateway)))) setAsking(false);
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconKeyOff size={16} aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {t('secret.retire')}
      </Button>
      <ConfirmDialog
        opened={asking}
        destructive
        busy={busy}
        problem={problem}
        title={t('secret.retireQuestion', { name: gateway.name })}
        text={t('secret.retireText')}
        confirmLabel={t('secret.retire')}
        onCancel={() => {
          clearProblem();
          setAsking(false);
        }}
        onConfirm={() => void confirm()}
      />
    </>
  );
}
