import type { ImeiAssignment } from '@/api/types';
import { DeleteAction } from '@/resource/DeleteAction';
import { defineResource, type Resource } from '@/resource/defineResource';
import { entity, instant, shown, text } from '@/resource/fields';
import { AssignForm } from './AssignForm';
import { ClaimTabs } from './ClaimTabs';

/** IMEIs that are promised to tenants; for platform owners. */
const assignments: Resource<ImeiAssignment> = defineResource<ImeiAssignment>({
  key: 'imei-assignments',
  fields: {
    imei: text({ tabular: true, column: { fixed: true, width: 180 } }),
    tenant_id: entity({ of: 'tenants', column: { width: 220, phone: 'below' }, filter: true }),
    created_at: instant({ column: { width: 150 } }),
    remove: shown<ImeiAssignment>({
      column: { width: 140, phone: 'beside' },
      cell: (row) => <DeleteAction resource={assignments} row={row} inRow />,
    }),
  },
  idOf: ({ imei }) => imei,
  nameOf: ({ imei }) => imei,
  closed: true,
  Form: AssignForm,
  Toolbar: ClaimTabs,
});

export default assignments;
