import { Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useGetUserQuery } from '@/api/calls/users';
import { ResourceSelect } from '@/resource/ResourceSelect';
import { useFocusReturn } from '@/lib/useFocusReturn';
import { Explanation } from './Explanation';
import classes from './Explanation.module.css';

interface ExplainChooserProps {
  /** Empty until one is chosen. */
  userId: string;
  onUser: (id: string) => void;
  onClose: () => void;
}

/** Explains the rights of a user who is chosen here. */
export function ExplainChooser({ userId, onUser, onClose }: ExplainChooserProps) {
  const { t } = useTranslation('roles');
  useFocusReturn();
  const { currentData: user } = useGetUserQuery({ id: userId }, { skip: !userId });
  return (
    <Modal opened onClose={onClose} title={t('explain.title')} size="lg">
      <div className={classes.explanation}>
        <ResourceSelect of="users" label={t('explain.user')} value={userId} onChange={onUser} />
        {userId ? (
          <Explanation key={userId} user={{ id: userId, name: user?.name ?? '…' }} />
        ) : (
          <Text c="dimmed">{t('explain.choose')}</Text>
        )}
      </div>
    </Modal>
  );
}
