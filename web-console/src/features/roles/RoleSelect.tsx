import { EntitySelect, type EntityFieldProps } from '@/components/EntitySelect';
import { useRoleOptions } from './useRoleOptions';

/** Chooses a role, of one tenant when it is named. */
export function RoleSelect({ tenantId, ...props }: EntityFieldProps & { tenantId: string }) {
  const { options, current, loading, onSearch } = useRoleOptions(tenantId, props.value);
  return <EntitySelect {...props} options={options} current={current} loading={loading} onSearch={onSearch} />;
}
