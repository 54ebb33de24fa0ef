import { useGetTenantQuery, useGetUserQuery, useListTenantsQuery, useListUsersQuery } from '@/api/api';
import { SELECT_CHOICES } from './EntitySelect';

const search = (q: string) => ({ page: 1, pageSize: SELECT_CHOICES, sort: 'name', q });
const option = ({ id = '', name = '' }: { id?: string; name?: string }) => ({ value: id, label: name });

/** Users whose name or email has this in it. */
export function useUserOptions(q: string) {
  const { data, isFetching, isError } = useListUsersQuery(search(q));
  return { options: (data?.items ?? []).map(option), loading: isFetching, failed: isError };
}

/** What a user is called; undefined until that is known. */
export const useUserName = (id: string): string | undefined => useGetUserQuery({ id }).currentData?.name;

/** Tenants whose name has this in it. */
export function useTenantOptions(q: string) {
  const { data, isFetching, isError } = useListTenantsQuery(search(q));
  return { options: (data?.items ?? []).map(option), loading: isFetching, failed: isError };
}

/** What a tenant is called; undefined until that is known. */
export const useTenantName = (id: string): string | undefined => useGetTenantQuery({ id }).currentData?.name;
