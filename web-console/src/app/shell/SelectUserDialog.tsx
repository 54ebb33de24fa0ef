import { Button, Group, Modal, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { useOpened } from '@/lib/useOpened';
import { ResourceSelect } from '@/resource/ResourceSelect';
import { selectOtherUser, selectPerson, userSelected } from '@/session/sessionSlice';
import classes from './SelectUserDialog.module.css';

/** Chooses the user whose fleet the map and the list of devices show. */
export function SelectUserDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const shown = useOpened(opened);
  return (
    <Modal opened={shown} onClose={onClose} title={t('selectUser.title')} size="sm">
      <Choice onClose={onClose} />
    </Modal>
  );
}

/** Apart from the dialog, so that it begins with who is looked at now. */
function Choice({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const dispatch = useDispatch();
  const present = useSelector(selectOtherUser);
  const person = useSelector(selectPerson);
  const [chosen, setChosen] = useState(present ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen === '') return;
    dispatch(userSelected(chosen === person?.id ? null : chosen));
    onClose();
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <Text>{t('selectUser.text')}</Text>
      <ResourceSelect of="users" label={t('selectUser.label')} value={chosen} onChange={setChosen} data-autofocus />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" disabled={chosen === ''}>
          {t('selectUser.apply')}
        </Button>
      </Group>
    </form>
  );
}
