import { ActionIcon, Alert, Button, Group, Modal, Text } from '@mantine/core';
import { IconArrowBackUp, IconArrowRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Role } from '@/api/generated';
import { BusyButton } from '@/components/BusyButton';
import { useFormats } from '@/i18n/useFormats';
import { usePermissionTexts } from '@/i18n/usePermissionTexts';
import { EffectMark } from './EffectMark';
import classes from './ReviewDialog.module.css';
import type { Draft } from './useDraft';
import type { SaveChanges } from './useSaveChanges';

interface ReviewDialogProps {
  role: Role;
  draft: Draft;
  saving: SaveChanges;
  problems: ReadonlyMap<string, string>;
  opened: boolean;
  onClose: () => void;
}

/** Every change before it holds: what it was, what it will be, and for how many people. */
export function ReviewDialog({ role, draft, saving, problems, opened, onClose }: ReviewDialogProps) {
  const { t } = useTranslation('roles');
  const { t: common } = useTranslation('common');
  const formats = useFormats();
  const texts = usePermissionTexts();
  const save = async () => {
    if (!saving.busy && (await saving.save(draft.changes))) onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={() => !saving.busy && onClose()}
      title={t('changes.reviewTitle', { name: role.name })}
      size="lg"
    >
      <Text>{t('changes.reach', { count: role.users, formatted: formats.number(role.users) })}</Text>
      <ul className={classes.changes}>
        {draft.changes.map(({ key, before, after }) => (
          <li key={key} className={classes.change}>
            <div className={classes.words}>
              <span className={classes.name}>{texts.name(key)}</span>
              <span className={classes.effects}>
                <EffectMark effect={before} />
                <IconArrowRight size={14} aria-label={t('changes.becomes')} role="img" />
                <EffectMark effect={after} />
              </span>
              {problems.has(key) && <span className={classes.problem}>{problems.get(key)}</span>}
            </div>
            <ActionIcon
              aria-label={t('changes.takeBack', { name: texts.name(key) })}
              disabled={saving.busy}
              onClick={() => {
                draft.discard([key]);
                if (draft.changes.length === 1) onClose();
              }}
            >
              <IconArrowBackUp size={18} aria-hidden="true" />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {saving.problem && (
        <Alert color="red" variant="outline" role="alert" mt="md">
          {saving.problem}
          {saving.loadTheirs && (
            <Button variant="default" size="compact-sm" mt="xs" display="block" onClick={saving.loadTheirs}>
              {common('form.loadTheirs')}
            </Button>
          )}
        </Alert>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose} disabled={saving.busy}>
          {t('changes.goOn')}
        </Button>
        <BusyButton onClick={() => void save()} busy={saving.busy} disabled={draft.changes.length === 0} data-autofocus>
          {t('changes.save')}
        </BusyButton>
      </Group>
    </Modal>
  );
}
