import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { User } from '@/api/types';
import { DayInput } from '@/components/DayInput';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { useTitle } from '@/lib/useTitle';
import { useOneQuery } from '@/resource/calls';
import { ResourceMultiSelect } from '@/resource/ResourceMultiSelect';
import { ResourceSelect } from '@/resource/ResourceSelect';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './DeviceMembers.module.css';
import { LinkManager } from './LinkManager';
import { mayManage } from './managerAccess';
import { MemberTabs } from './MemberTabs';
import { RoleChoice } from './RoleField';
import { roleIn } from './memberRoles';
import { useManagerAddress, type ManagerChoice } from './useManagerAddress';

/** Devices of some users against those that another one is linked to: what is added and taken away, seen before it is done. */
export function ManagerPage() {
  const { t } = useTranslation('deviceMembers');
  useTitle(t('manager.title'));
  if (!mayManage(useSelector(selectPerson))) return <NoAccess text={t('manager.noAccess')} />;
  return <Manager />;
}

function Manager() {
  const { t } = useTranslation('deviceMembers');
  const ofPlatform = can('platform_owner', useSelector(selectPerson));
  const [choice, choose] = useManagerAddress();
  const { from, to } = choice;
  // Another pair of users is another question, for which nothing has been chosen yet.
  const pair = [to, ...from].join(' ');
  const [planned, setPlanned] = useState<string | null>(null);
  // Links are within a tenant: a platform owner names it with the user.
  const destination = useOneQuery<User>('users', ofPlatform ? to : null);
  const tenantId = destination.currentData?.tenant_id;
  return (
    <Page>
      <PageHeader title={t('manager.title')} text={t('manager.intro')} />
      <MemberTabs />
      {/* What was previewed is what is done: nothing of it changes meanwhile. */}
      {planned !== pair && <Choice choice={choice} choose={choose} tenantId={tenantId} />}
      <LinkManager key={pair} choice={choice} tenantId={tenantId} onPlan={(shown) => setPlanned(shown ? pair : null)} />
    </Page>
  );
}

interface ChoiceProps {
  choice: ManagerChoice;
  choose: (part: Partial<ManagerChoice>) => void;
  tenantId: string | undefined;
}

/** Between whom links are managed, and as what new ones are made. */
function Choice({ choice: { from, to, role, until }, choose, tenantId }: ChoiceProps) {
  const { t } = useTranslation('deviceMembers');
  return (
    <div className={classes.choice}>
      <ResourceSelect
        of="users"
        label={t('field.destination')}
        description={t('help.destination')}
        required
        value={to}
        onChange={(id) => choose({ to: id })}
      />
      <ResourceMultiSelect
        of="users"
        label={t('field.sources')}
        description={t('help.sources')}
        tenantId={tenantId}
        except={to}
        clearable
        value={from}
        onChange={(ids) => choose({ from: ids })}
      />
      <RoleChoice
        name="role"
        label={t('field.roleOfNew')}
        value={role}
        onChange={(value) => choose({ role: roleIn(value), ...(value === 'owner' && { until: '' }) })}
      />
      {role !== 'owner' && (
        <DayInput
          label={t('field.ends_on')}
          description={t('help.ends_on')}
          clearable
          value={until}
          onChange={(day) => choose({ until: day })}
        />
      )}
    </div>
  );
}
