import { Anchor, Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { HeardImei } from '@/api/generated';
import { StatusBadge } from '@/components/StatusBadge';
import { setupPath, useAddress } from '@/lib/address';
import { useStackedDrawers } from '@/lib/drawerParam';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';

/** An IMEI, with a mark when its check digit is wrong. */
export function HeardImeiCell({ row: { imei, check_digit_ok: ok } }: { row: HeardImei }) {
  const { t } = useTranslation('claims');
  return (
    <Group gap="xs" wrap="nowrap">
      <span className="tabular">{imei}</span>
      {!ok && <StatusBadge tone="warning">{t('unknown.oddDigit')}</StatusBadge>}
    </Group>
  );
}

/** The gateways that it came through. */
export function HeardGateways({ row: { gateways, more_gateways: more } }: { row: HeardImei }) {
  const { t } = useTranslation('claims');
  const names = gateways.join(', ');
  return more ? t('heard.more', { gateways: names }) : names;
}

/** Leads to the guided way for the tracker, or to the device that claims it already. */
export function SetUpHeard({ row: { imei, claimant } }: { row: HeardImei }) {
  const { t } = useTranslation('claims');
  const { open } = useStackedDrawers();
  const { search } = useAddress();
  const mayCreate = mayDo('devices', 'create', useSelector(selectPerson));
  if (claimant)
    return (
      <Text size="sm">
        {t('unknown.claimedBy')}{' '}
        <Anchor component="button" type="button" size="sm" onClick={() => open('devices', claimant.device_id)}>
          {claimant.device_name}
        </Anchor>
      </Text>
    );
  if (!mayCreate) return null;
  const path = setupPath({ imei, tenant_id: search.get('tenant_id') ?? '' });
  return (
    <Button component={Link} to={path} variant="default" size="compact-sm">
      {t('unknown.setUp')}
    </Button>
  );
}
