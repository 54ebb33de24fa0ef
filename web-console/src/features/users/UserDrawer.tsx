import { Button } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useGetUserQuery } from '@/api/api';
import type { User } from '@/api/types';
import { DetailDrawer } from '@/components/DetailDrawer';
import { TimeAgo } from '@/components/TimeAgo';
import { useFreshSnapshot } from '@/lib/useFreshSnapshot';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import type { ShownLink } from './LinkDialog';
import { SendLink } from './SendLink';
import classes from './UserDrawer.module.css';
import { UserForm } from './UserForm';
import { UserStatusBadge } from './UserStatusBadge';

/** Says what a user may do and why. */
export type ExplainUser = ComponentType<{ user: { id: string; name: string }; onClose: () => void }>;

interface UserDrawerProps {
  /** Null for a new one. */
  id: string | null;
  /** The page of the list behind, to go through one by one. */
  neighbours: User[];
  onShow: (id: string) => void;
  /** A link came that nobody but this person can hand over. */
  onLink: (link: ShownLink) => void;
  explain: ExplainUser;
  onClose: () => void;
}

/** A user in the drawer at the side: the one with this id, or a new one. */
export function UserDrawer({ id, neighbours, onShow, onLink, explain, onClose }: UserDrawerProps) {
  const { t } = useTranslation('users');
  // Always from the server: a change must be based on the newest version.
  const query = useGetUserQuery({ id: id ?? '' }, { skip: id === null, refetchOnMountOrArgChange: true });
  const { isFetching, error, refetch } = query;
  const newest = query.currentData as User | undefined;
  const user = useFreshSnapshot(query) as User | undefined;
  const place = neighbours.findIndex((each) => each.id === id);
  const to = (neighbour: User | undefined) => (neighbour ? () => onShow(neighbour.id) : null);
  const waiting = id !== null && !user;
  return (
    <DetailDrawer
      title={id === null ? t('createTitle') : (user?.name ?? neighbours[place]?.name ?? t('title'))}
      subtitle={user && <Standing user={newest ?? user} />}
      previous={place < 0 ? undefined : to(neighbours[place - 1])}
      next={place < 0 ? undefined : to(neighbours[place + 1])}
      load={
        waiting
          ? { failure: t('openFailed'), error: isFetching ? undefined : error, onRetry: () => void refetch() }
          : undefined
      }
      onClose={onClose}
    >
      {user && <Acts user={newest ?? user} onLink={onLink} explain={explain} />}
      <UserForm user={user} onLink={onLink} onClose={onClose} />
    </DetailDrawer>
  );
}

/** How the account stands, which follows from what happened to it. */
function Standing({ user }: { user: User }) {
  const { t } = useTranslation('users');
  return (
    <span className={classes.standing}>
      <UserStatusBadge user={user} />
      <span>
        {t('field.lastLogin')}: {user.last_login ? <TimeAgo at={user.last_login} /> : t('never')}
      </span>
      {user.has_totp && <span>{t('hasTotp')}</span>}
    </span>
  );
}

interface ActsProps extends Pick<UserDrawerProps, 'onLink' | 'explain'> {
  user: User;
}

/** What can be done about a user besides changing them. */
function Acts({ user, onLink, explain }: ActsProps) {
  const person = useSelector(selectPerson);
  // One's own password is changed with the present one, not by a link; who is barred gets in by none.
  const mayLink = can('user:invite', person) && user.id !== person?.id && user.status !== 'inactive';
  const mayExplain = can('role:list', person);
  if (!mayLink && !mayExplain) return null;
  return (
    <div className={classes.acts}>
      {mayLink && <SendLink user={user} onLink={onLink} />}
      {mayExplain && <Explain user={user} dialog={explain} />}
    </div>
  );
}

/** Leads to why the user may do something or not. */
function Explain({ user, dialog: Dialog }: { user: User; dialog: ExplainUser }) {
  const { t } = useTranslation('users');
  const [shown, setShown] = useState(false);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconHelpCircle size={16} aria-hidden="true" />}
        onClick={() => setShown(true)}
      >
        {t('explain')}
      </Button>
      {shown && <Dialog user={user} onClose={() => setShown(false)} />}
    </>
  );
}
