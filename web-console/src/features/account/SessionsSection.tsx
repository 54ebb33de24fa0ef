import { Badge, Button, Modal, Skeleton, Text } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useEndOtherSessionsMutation,
  useEndSessionMutation,
  useListSessionsQuery,
  useReauthenticateMutation,
} from '@/api/calls/account';
import { errorCode } from '@/api/errors';
import type { AccountSession, Profile, ReauthenticationRequest } from '@/api/generated';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { ErrorState } from '@/components/ErrorState';
import { TimeAgo } from '@/components/TimeAgo';
import { useFormats } from '@/i18n/useFormats';
import type { MutationResult } from '@/lib/mutationResult';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { ReauthenticationForm } from './ReauthenticationForm';
import { Section } from './Section';
import classes from './SessionsSection.module.css';
import { clientOf } from './userAgent';

const MOBILE = new Set(['Android', 'iOS']);

/** Where one is signed in, and how to end that. */
export function SessionsSection({ profile }: { profile: Profile }) {
  const { t } = useTranslation('account');
  const { data, error, refetch } = useListSessionsQuery();
  const [asking, setAsking] = useState<AccountSession | 'others' | null>(null);
  const sessions = data?.items ?? [];
  const list = useFocusWhenFewer(sessions.length);
  return (
    <Section title={t('sessions.title')} text={t('sessions.text')}>
      {data ? (
        <ul ref={list} tabIndex={-1} className={classes.list}>
          {sessions.map((session) => (
            <SessionItem key={session.id} session={session} onEnd={() => setAsking(session)} />
          ))}
        </ul>
      ) : error ? (
        <ErrorState title={t('sessions.loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={64} aria-busy="true" />
      )}
      {sessions.some((session) => !session.is_current) && (
        <Button variant="default" color="red" mr="auto" onClick={() => setAsking('others')}>
          {t('sessions.endOthers')}
        </Button>
      )}
      <EndDialog profile={profile} asking={asking} onClose={() => setAsking(null)} />
    </Section>
  );
}

/** The button that ended a session goes with it: the list has the keyboard then. */
function useFocusWhenFewer(count: number) {
  const list = useRef<HTMLUListElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const fewer = count < before.current;
    before.current = count;
    if (fewer && document.activeElement === document.body) list.current?.focus();
  }, [count]);
  return list;
}

function SessionItem({ session, onEnd }: { session: AccountSession; onEnd: () => void }) {
  const { t } = useTranslation('account');
  const formats = useFormats();
  const name = useClientName()(session);
  const Icon = MOBILE.has(clientOf(session.user_agent).system ?? '') ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li className={classes.session}>
      <Icon size={24} stroke={1.5} aria-hidden="true" className={classes.icon} />
      <div className={classes.words}>
        <div className={classes.client}>
          <span title={session.user_agent}>{name}</span>
          {session.is_current && <Badge color="brand.8">{t('sessions.current')}</Badge>}
        </div>
        <Text size="xs" c="dimmed">
          {session.address && `${session.address} · `}
          {t('sessions.lastUsed')} <TimeAgo at={session.last_used_at} /> ·{' '}
          {t('sessions.since', { at: formats.dateTime(session.created_at) })}
        </Text>
      </div>
      {!session.is_current && (
        <Button variant="default" size="compact-sm" onClick={onEnd} aria-label={t('sessions.endNamed', { name })}>
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}

/** What a session is called: its browser and system, or else what the client says of itself. */
function useClientName(): (session: AccountSession) => string {
  const { t } = useTranslation('account');
  return ({ user_agent }) => {
    const { browser, system } = clientOf(user_agent);
    if (browser && system) return t('sessions.client', { browser, system });
    return browser ?? system ?? (user_agent || t('sessions.unknown'));
  };
}

interface EndDialogProps {
  profile: Profile;
  asking: AccountSession | 'others' | null;
  onClose: () => void;
}

/** Asks before a session ends, and for the password when nobody has given it for a while. */
function EndDialog({ profile, asking, onClose }: EndDialogProps) {
  const { t } = useTranslation('account');
  const nameOf = useClientName();
  const [endOne] = useEndSessionMutation();
  const [endOthers] = useEndOtherSessionsMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback<unknown>({
    done: t('sessions.ended'),
    failure: t('sessions.endFailed'),
    failsIn: 'place',
  });
  const [proving, setProving] = useState(false);
  const close = () => {
    clearProblem();
    setProving(false);
    onClose();
  };
  const confirm = async () => {
    if (asking === null) return;
    const end = (asking === 'others' ? () => endOthers() : () => endOne({ id: asking.id })) as () => Promise<
      MutationResult<unknown>
    >;
    let stale = false;
    const done = await act(async () => {
      const answer = await end();
      stale = errorCode(answer.error) === 'reauthentication_required';
      return answer;
    });
    if (done) close();
    else if (stale) setProving(true);
  };
  if (proving) {
    const again = () => {
      setProving(false);
      void confirm();
    };
    return <ProofDialog profile={profile} onProved={again} onClose={close} />;
  }
  const others = asking === 'others' || asking === null;
  return (
    <ConfirmDialog
      opened={asking !== null}
      destructive
      busy={busy}
      problem={problem}
      title={others ? t('sessions.confirmOthers') : t('sessions.confirmOne', { name: nameOf(asking) })}
      text={t('sessions.confirmText')}
      confirmLabel={others ? t('sessions.endOthers') : t('sessions.end')}
      onConfirm={() => void confirm()}
      onCancel={close}
    />
  );
}

interface ProofDialogProps {
  profile: Profile;
  onProved: () => void;
  onClose: () => void;
}

function ProofDialog({ profile, onProved, onClose }: ProofDialogProps) {
  const { t } = useTranslation('account');
  const [reauthenticate] = useReauthenticateMutation();
  const calling = useMutationFeedback({ failsIn: 'place' });
  const prove = async (reauthenticationRequest: ReauthenticationRequest) => {
    if (await calling.act(() => reauthenticate({ reauthenticationRequest }) as Promise<MutationResult<unknown>>))
      onProved();
  };
  return (
    <Modal opened onClose={onClose} title={t('proof.title')} zIndex={300} size="sm">
      <ReauthenticationForm
        profile={profile}
        text={t('proof.text')}
        submitLabel={t('proof.submit')}
        calling={calling}
        onReauthenticate={(proof) => void prove(proof)}
        onCancel={onClose}
      />
    </Modal>
  );
}
