import { useTranslation } from 'react-i18next';
import { useGetRolePermissionsQuery, useGetRoleQuery, useRoleTemplatesQuery } from '@/api/calls/roles';
import type { RolePermission } from '@/api/generated';
import { useTemplateTexts } from './useTemplateTexts';

const TEMPLATE = 'template:';

/** How a comparison names a template; a role is named by its id. */
export const sideOfTemplate = (key: string): string => TEMPLATE + key;

/** The template that stands on this side, or null when it is a role. */
export const templateOf = (side: string): string | null =>
  side.startsWith(TEMPLATE) ? side.slice(TEMPLATE.length) : null;

/** One side of a comparison. */
export interface ComparisonSide {
  /** There is something to compare, or will be. */
  isChosen: boolean;
  name: string;
  /** Whose role it is; templates are everybody's. */
  tenantId: string | undefined;
  /** Undefined until it is known. */
  items: RolePermission[] | undefined;
  error: unknown;
  retry: () => void;
}

/** A role or a template, and what it says of every permission. */
export function useComparisonSide(side: string): ComparisonSide {
  const { t } = useTranslation('roles');
  const texts = useTemplateTexts();
  const key = templateOf(side);
  const ofRole = { skip: side === '' || key !== null };
  const role = useGetRoleQuery({ id: side }, ofRole);
  const permissions = useGetRolePermissionsQuery({ id: side }, ofRole);
  const templates = useRoleTemplatesQuery(undefined, { skip: key === null });
  if (key !== null) {
    const template = templates.data?.items.find((each) => each.key === key);
    return {
      // An old address may name a template that there is no more.
      isChosen: !templates.data || template !== undefined,
      name: t('compare.template', { name: texts.name(key) }),
      tenantId: undefined,
      items: template?.items,
      error: templates.data ? undefined : templates.error,
      retry: () => void templates.refetch(),
    };
  }
  return {
    isChosen: side !== '',
    name: role.currentData?.name ?? '…',
    tenantId: role.currentData?.tenant_id,
    items: permissions.currentData?.items,
    error: permissions.currentData ? undefined : permissions.error,
    retry: () => void permissions.refetch(),
  };
}
