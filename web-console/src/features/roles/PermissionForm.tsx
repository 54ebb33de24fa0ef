import { Button, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCreatePermissionMutation, useDeletePermissionMutation, useUpdatePermissionMutation } from '@/api/api';
import type { Permission } from '@/api/generated';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { DrawerForm } from '@/components/form/DrawerForm';
import { TextAreaField } from '@/components/form/TextAreaField';
import { TextField } from '@/components/form/TextField';
import { toastSuccess } from '@/lib/toast';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { useEntityForm } from '@/lib/useEntityForm';
import { permissionSchema, permissionValues, type PermissionValues } from './permissionForm';

interface PermissionFormProps {
  permission: Permission | undefined;
  /** For what is part of the program, and for who may only look. */
  readOnly: boolean;
  onClose: () => void;
}

/** Adds a permission to the catalogue, or describes the one given anew. */
export function PermissionForm({ permission, readOnly, onClose }: PermissionFormProps) {
  const { t } = useTranslation('roles');
  const { t: resource } = useTranslation('resource');
  const [create] = useCreatePermissionMutation();
  const [update] = useUpdatePermissionMutation();
  const form = useEntityForm<Permission, PermissionValues>({
    schema: permissionSchema,
    values: permissionValues(permission),
    namespace: 'roles',
    failure: t('catalogue.saveFailed'),
    readOnly,
    send: ({ key, description }) =>
      permission
        ? update({
            key: permission.key,
            'If-Match': String(permission.row_version),
            permissionInput: { key, description },
          })
        : create({ permissionInput: { key, description } }),
    onSaved: () => {
      toastSuccess(permission ? t('catalogue.updated') : t('catalogue.created'));
      onClose();
    },
  });
  return (
    <DrawerForm
      form={form}
      submitLabel={permission ? resource('save') : t('catalogue.add')}
      onClose={onClose}
      actions={permission && !readOnly && <DeletePermission permission={permission} onDeleted={onClose} />}
    >
      {permission?.is_built_in && <Text c="dimmed">{t('catalogue.builtInText')}</Text>}
      {(!permission || readOnly) && (
        <TextField
          form={form}
          name="key"
          label={t('field.key')}
          description={readOnly ? undefined : t('help.key')}
          required
          first
        />
      )}
      <TextAreaField
        form={form}
        name="description"
        label={t('field.permissionDescription')}
        first={permission !== undefined}
      />
    </DrawerForm>
  );
}

/** Deletes a permission, after its key has been typed. */
function DeletePermission({ permission, onDeleted }: { permission: Permission; onDeleted: () => void }) {
  const { t } = useTranslation('roles');
  const { t: common } = useTranslation('common');
  const [asking, setAsking] = useState(false);
  const [remove] = useDeletePermissionMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback({
    done: t('catalogue.deleted'),
    failure: t('catalogue.deleteFailed'),
    failsIn: 'place',
  });
  const confirm = async () => {
    const done = await act(() => remove({ key: permission.key, 'If-Match': String(permission.row_version) }));
    if (!done) return;
    setAsking(false);
    onDeleted();
  };
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {common('action.delete')}
      </Button>
      <ConfirmDialog
        opened={asking}
        destructive
        typeName={permission.key}
        busy={busy}
        problem={problem}
        title={t('catalogue.confirmDelete.title', { key: permission.key })}
        text={t('catalogue.confirmDelete.text')}
        confirmLabel={common('action.delete')}
        onCancel={() => {
          clearProblem();
          setAsking(false);
        }}
        onConfirm={() => void confirm()}
      />
    </>
  );
}
