import { Alert, Anchor, Button, Menu, Skeleton } from '@mantine/core';
import { IconArrowsLeftRight, IconCopy, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useNavigate, useParams } from 'react-router';
import { useListPermissionsQuery } from '@/api/calls/permissions';
import { useGetRolePermissionsQuery, useGetRoleQuery } from '@/api/calls/roles';
import type { Permission, Role, RolePermissions } from '@/api/generated';
import { ErrorState } from '@/components/ErrorState';
import { useUnsaved } from '@/components/unsaved';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { useFormats } from '@/i18n/useFormats';
import { useDrawerParam } from '@/lib/drawerParam';
import { focusScreen } from '@/lib/useFocusReturn';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import { useTitle } from '@/lib/useTitle';
import { DeleteAction } from '@/resource/DeleteAction';
import { ResourceDrawer } from '@/resource/ResourceDrawer';
import { useEntityName } from '@/resource/ResourceSelect';
import { useResourceTexts } from '@/resource/texts';
import { can } from '@/session/abilities';
import type { Person } from '@/session/claims';
import { selectPerson } from '@/session/sessionSlice';
import { BackToRoles } from './BackToRoles';
import { ChangesBar } from './ChangesBar';
import { PermissionMatrix } from './PermissionMatrix';
import { ReviewDialog } from './ReviewDialog';
import roles from './roles.resource';
import { effectsOf, isWider, type Change } from './matrix';
import { useDraft } from './useDraft';
import { useSaveChanges } from './useSaveChanges';
import classes from './RolePage.module.css';

/** A role and what it says of every permission. */
export function RolePage() {
  // With those of the matrix, which comes later: a screen that stands does not wait.
  const { t } = useTranslation(['roles', 'permissions']);
  useTitle(t('title'));
  const { id = '' } = useParams();
  if (!can('role:list', useSelector(selectPerson))) return <NoAccess text={t('noAccess')} />;
  return <LoadedRole key={id} id={id} />;
}

function LoadedRole({ id }: { id: string }) {
  const { t } = useResourceTexts('roles');
  // A change must be based on the newest version.
  const fresh = { refetchOnMountOrArgChange: true };
  const role = useGetRoleQuery({ id }, fresh);
  const permissionsQuery = useGetRolePermissionsQuery({ id }, fresh);
  const catalogue = useListPermissionsQuery();
  const all = [role, permissionsQuery, catalogue];
  const error = all.find((each) => each.error && !each.data)?.error;
  const again = () => Promise.all(all.map(({ refetch }) => refetch()));
  useRetryWhenBack(error, () => void again());
  if (error) {
    return (
      <Page>
        <PageHeader title={t('title')} />
        <ErrorState title={t('openFailed')} error={error} onRetry={() => void again()} />
      </Page>
    );
  }
  if (!role.data || !permissionsQuery.data || !catalogue.data) return <Arriving />;
  return (
    <RoleView
      role={role.data}
      permissionsQuery={permissionsQuery.data}
      permissions={catalogue.data.items}
      reload={again}
    />
  );
}

function Arriving() {
  const { t } = useTranslation('roles');
  return (
    <Page>
      <PageHeader title={t('title')} />
      <div aria-busy="true">
        {[0, 1, 2, 3, 4, 5].map((row) => (
          <Skeleton key={row} height={48} mb="xs" />
        ))}
      </div>
    </Page>
  );
}

interface RoleViewProps {
  role: Role;
  permissionsQuery: RolePermissions;
  permissions: Permission[];
  reload: () => Promise<unknown>;
}

function RoleView({ role, permissionsQuery, permissions, reload }: RoleViewProps) {
  const { t } = useTranslation('roles');
  const person = useSelector(selectPerson);
  useTitle(role.name);
  const [open, setOpen] = useDrawerParam();
  const [reviewing, setReviewing] = useState(false);
  const base = useMemo(() => effectsOf(permissionsQuery.items), [permissionsQuery]);
  const draft = useDraft(base);
  const onSaved = () => {
    draft.discard();
    // The bar that led to saving goes with the changes.
    focusScreen();
  };
  const saving = useSaveChanges({ roleId: role.id, version: permissionsQuery.row_version, reload, onSaved });
  const problems = useProblems(draft.changes, saving.refusal, person);
  const editable = can('role:update', person);
  const dirty = draft.changes.length > 0;
  useUnsaved({ saving: saving.busy, holdsChanges: () => dirty, inDrawer: false });
  return (
    <Page>
      <BackToRoles />
      <RoleHeader role={role} dirty={dirty} onEdit={() => setOpen(role.id)} />
      {!editable && (
        <Alert variant="light" color="gray">
          {t('readOnly')}
        </Alert>
      )}
      <PermissionMatrix permissions={permissions} base={base} draft={draft} editable={editable} problems={problems} />
      <ChangesBar draft={draft} onReview={() => setReviewing(true)} />
      <ReviewDialog
        role={role}
        draft={draft}
        saving={saving}
        problems={problems}
        opened={reviewing && dirty}
        onClose={() => {
          setReviewing(false);
          // What the server said of the rows stays at them until somebody changes something.
          if (!saving.refusal) saving.forget();
        }}
      />
      {open === role.id && !dirty && editable && (
        <ResourceDrawer resource={roles} open={role.id} onClose={() => setOpen(null)} />
      )}
    </Page>
  );
}

/**
 * The rows of permissions that somebody gives who does not hold them: before saving what will come of it, afterwards what
 * the server said. Who holds everything is not asked.
 */
function useProblems(changes: Change[], refusal: string | null, person: Person | null): ReadonlyMap<string, string> {
  const { t } = useTranslation('roles');
  return useMemo(() => {
    const holdsAll = person?.isPlatformOwner || person?.isTenantAdmin;
    const wider = changes.filter(isWider);
    const beyond = holdsAll ? [] : wider.filter(({ key }) => !person?.permissions.includes(key));
    // The server names no rows: if what is known of this person does not tell, any of them may be meant.
    const meant = beyond.length > 0 || refusal === null ? beyond : wider;
    return new Map(meant.map(({ key }) => [key, refusal ?? t('matrix.notHeld')]));
  }, [t, changes, refusal, person]);
}

/** Name, numbers and acts. What leads away or changes the role waits until the permissions are saved. */
function RoleHeader({ role, dirty, onEdit }: { role: Role; dirty: boolean; onEdit: () => void }) {
  const { t } = useTranslation('roles');
  const { t: common } = useTranslation('common');
  const person = useSelector(selectPerson);
  const navigate = useNavigate();
  const compare = `/roles/compare?${new URLSearchParams({ left: role.id })}`;
  const copy = `/roles?${new URLSearchParams({ open: 'new', copy: role.id })}`;
  const mayCreate = can('role:create', person);
  const mayDelete = can('role:delete', person);
  const header = (askToDelete: () => void) => (
    <PageHeader
      title={role.name}
      text={role.description}
      action={
        can('role:update', person) && (
          <Button
            variant="default"
            leftSection={<IconPencil size={16} aria-hidden="true" />}
            disabled={dirty}
            title={dirty ? t('saveFirst') : undefined}
            onClick={onEdit}
          >
            {t('rename')}
          </Button>
        )
      }
      menu={
        <>
          <Menu.Item component={Link} to={compare} leftSection={<IconArrowsLeftRight size={16} aria-hidden="true" />}>
            {t('compare.action')}
          </Menu.Item>
          {mayCreate && (
            <Menu.Item component={Link} to={copy} leftSection={<IconCopy size={16} aria-hidden="true" />}>
              {t('duplicate')}
            </Menu.Item>
          )}
          {mayDelete && (
            <Menu.Item
              color="red"
              disabled={dirty}
              leftSection={<IconTrash size={16} aria-hidden="true" />}
              onClick={askToDelete}
            >
              {common('action.delete')}
            </Menu.Item>
          )}
        </>
      }
    />
  );
  return (
    <>
      <DeleteAction resource={roles} row={role} onDeleted={() => void navigate('/roles', { replace: true })}>
        {header}
      </DeleteAction>
      <RoleFacts role={role} />
    </>
  );
}

function RoleFacts({ role }: { role: Role }) {
  const { t } = useTranslation('roles');
  const formats = useFormats();
  const person = useSelector(selectPerson);
  const users = t('usersCount', { count: role.users, formatted: formats.number(role.users) });
  return (
    <div className={classes.facts}>
      {can('platform_owner', person) && <TenantFact id={role.tenant_id} />}
      {can('user:list', person) ? (
        <Anchor component={Link} to={`/users?${new URLSearchParams({ role_id: role.id })}`} size="sm">
          {users}
        </Anchor>
      ) : (
        <span>{users}</span>
      )}
      <span>{t('updatedAt', { time: formats.dateTime(role.updated_at) })}</span>
    </div>
  );
}

function TenantFact({ id }: { id: string }) {
  const { t } = useTranslation('roles');
  return <span>{t('ofTenant', { name: useEntityName('tenants', id) ?? '…' })}</span>;
}
