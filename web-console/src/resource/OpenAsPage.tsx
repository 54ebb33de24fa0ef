import { ActionIcon } from '@mantine/core';
import { IconArrowsMaximize } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import type { EntryState } from '@/lib/address';
import { withoutDrawers } from '@/lib/drawerParam';
import { REGISTRY, type ResourceKey } from './registry';

/** Leads from the drawer of a thing to its page, which leads back to the list as it was. */
export function OpenAsPage({ of, id }: { of: ResourceKey; id: string }) {
  const { t } = useTranslation('resource');
  const { pathname, search } = useLocation();
  const { path } = REGISTRY[of];
  const from: EntryState = pathname === path ? { list: withoutDrawers(new URLSearchParams(search)) } : {};
  const to = `${path}/${encodeURIComponent(id)}`;
  // On the page itself it leads nowhere.
  if (pathname === to) return null;
  return (
    <ActionIcon component={Link} to={to} state={from} aria-label={t('page.open')} title={t('page.open')}>
      <IconArrowsMaximize size={18} aria-hidden="true" />
    </ActionIcon>
  );
}
