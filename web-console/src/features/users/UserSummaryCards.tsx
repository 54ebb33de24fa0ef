import { useTranslation } from 'react-i18next';
import { useUserSummaryQuery } from '@/api/api';
import { SummaryCards } from '@/components/SummaryCards';
import type { ListParams } from '@/lib/listParams';
import { usersOf } from './userList';

interface UserSummaryCardsProps {
  params: ListParams;
  onParams: (change: Partial<ListParams>) => void;
}

/** How many users of which kind a list shows. */
export function UserSummaryCards({ params, onParams }: UserSummaryCardsProps) {
  const { t } = useTranslation('users');
  const { data } = useUserSummaryQuery(usersOf(params));
  const status = (value: string) => ({ name: 'status', value });
  return (
    <SummaryCards
      label={t('summary.title')}
      params={params}
      onParams={onParams}
      cards={[
        { key: 'total', label: t('summary.total'), value: data?.total },
        { key: 'active', label: t('summary.active'), value: data?.active, filter: status('active') },
        { key: 'inactive', label: t('summary.inactive'), value: data?.inactive, filter: status('inactive') },
        { key: 'invited', label: t('summary.invited'), value: data?.invited, filter: status('invited') },
        {
          key: 'subscribed',
          label: t('summary.subscribed'),
          value: data?.subscription_active,
          filter: { name: 'is_subscription_active', value: 'true' },
        },
        { key: 'admins', label: t('summary.admins'), value: data?.tenant_admins },
        { key: 'totp', label: t('summary.totp'), value: data?.with_totp },
        { key: 'never', label: t('summary.never'), value: data?.never_signed_in },
      ]}
    />
  );
}
