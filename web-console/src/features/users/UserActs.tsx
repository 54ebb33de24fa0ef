import { Button } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { User } from '@/api/types';
import { ExplainDialog } from '@/features/roles/ExplainDialog';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { SendLink } from './SendLink';
import classes from './UserDrawer.module.css';

/** What can be done about a user besides changing them: another link to get in, and why they may do something or not. */
export function UserActs({ row: user }: { row: User }) {
  const { t } = useTranslation('users');
  const person = useSelector(selectPerson);
  const [explaining, setExplaining] = useState(false);
  // One's own password is changed with the present one, not by a link; who is barred gets in by none.
  const mayLink = can('user:invite', person) && user.id !== person?.id && user.status !== 'inactive';
  const mayExplain = can('role:list', person);
  if (!mayLink && !mayExplain) return null;
  return (
    <div className={classes.acts}>
      {mayLink && <SendLink user={user} />}
      {mayExplain && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconHelpCircle size={16} aria-hidden="true" />}
          onClick={() => setExplaining(true)}
        >
          {t('explain')}
        </Button>
      )}
      {explaining && <ExplainDialog user={user} onClose={() => setExplaining(false)} />}
    </div>
  );
}
