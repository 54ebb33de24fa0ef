import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFocusReturn } from '@/lib/useFocusReturn';
import { Explanation } from './Explanation';

interface ExplainDialogProps {
  user: { id: string; name: string };
  onClose: () => void;
}

/** What a user may do and why, over whatever screen the user stands on. */
export function ExplainDialog({ user, onClose }: ExplainDialogProps) {
  const { t } = useTranslation('roles');
  useFocusReturn();
  return (
    <Modal opened onClose={onClose} title={t('explain.titleOf', { name: user.name })} size="lg" zIndex={300}>
      <Explanation user={user} />
    </Modal>
  );
}
