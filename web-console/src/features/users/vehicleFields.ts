import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { User } from '@/api/types';
import { choice, entities } from '@/resource/fields';
import { mayDo } from '@/resource/registry';
import { can } from '@/session/abilities';
import type { Person } from '@/session/claims';
import { selectPerson } from '@/session/sessionSlice';

const CHOICES = ['all', 'groups', 'chosen', 'none'] as const;

/** Which there are to choose from: groups for those who may know of any. */
function useVehicleChoices() {
  const { t } = useTranslation('users');
  const mayChooseGroups = mayDo('master-data', 'list', useSelector(selectPerson));
  return CHOICES.filter((value) => value !== 'groups' || mayChooseGroups).map((value) => ({
    value,
    label: t(`vehicles.${value}`),
  }));
}

/** They are asked for a new user by who may link one, and sent after the user. Admins see all vehicles as it is. */
const asked = {
  newOnly: true,
  unsent: true,
  required: true,
  allowed: (_user: User | undefined, person: Person | null) =>
    can('device_member:create', person) && can('device:list', person),
};
const forOthers = { is_tenant_admin: false };

/** Which vehicles a new user sees, and as what. */
export const VEHICLE_FIELDS = {
  vehicles: choice<User>({
    values: CHOICES,
    useChoices: useVehicleChoices,
    column: false,
    form: { ...asked, only: forOthers },
  }),
  vehicle_group_ids: entities<User>({
    of: 'master-data',
    where: { kind: 'device_group' },
    within: 'tenant_id',
    column: false,
    form: { ...asked, only: { ...forOthers, vehicles: 'groups' } },
  }),
  vehicle_ids: entities<User>({
    of: 'devices',
    within: 'tenant_id',
    column: false,
    form: { ...asked, only: { ...forOthers, vehicles: 'chosen' } },
  }),
  vehicle_role: choice<User>({
    values: ['viewer', 'technician', 'owner'],
    column: false,
    form: { ...asked, initial: 'viewer', only: { ...forOthers, vehicles: ['all', 'groups', 'chosen'] } },
  }),
};
