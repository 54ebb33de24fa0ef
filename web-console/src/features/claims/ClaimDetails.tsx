import { Anchor, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ImeiClaim } from '@/api/types';
import { DrawerText, Fact, Facts } from '@/components/Facts';
import { useFormats } from '@/i18n/useFormats';
import { isOtherId } from '@/lib/imei';
import { useStackedDrawers } from '@/lib/drawerParam';
import { EntityName } from '@/resource/names';
import { ApproveClaim } from './ApproveClaim';
import { RejectClaim } from './RejectClaim';

/** One claim with all that is known of the tracker, and the decision. */
export function ClaimDetails({ row: claim }: { row: ImeiClaim }) {
  const { t } = useTranslation('claims');
  const formats = useFormats();
  const { holder, assigned_tenant_id: assigned, decided_at: decidedAt } = claim;
  return (
    <DrawerText>
      <Facts>
        <Fact label={t('field.tenant_id')}>
          <EntityName of="tenants" id={claim.tenant_id} />
        </Fact>
        <Fact label={t('field.device_name')}>
          <DeviceLink id={claim.device_id} name={claim.device_name} />
        </Fact>
        <Fact label={t('field.claimed_at')}>{formats.dateTime(claim.claimed_at)}</Fact>
        {!isOtherId(claim.imei) && (
          <>
            <Fact label={t('field.model')}>
              <span className="tabular">{claim.imei.slice(0, 8)}</span>
            </Fact>
            <Fact label={t('field.checkDigit')}>
              {claim.check_digit_ok ? t('checkDigit.right') : t('checkDigit.wrong')}
            </Fact>
          </>
        )}
        <Fact label={t('field.holder')}>
          {holder ? (
            <>
              <EntityName of="tenants" id={holder.tenant_id} />,{' '}
              <DeviceLink id={holder.device_id} name={holder.device_name} />
            </>
          ) : (
            t('nobody')
          )}
        </Fact>
        <Fact label={t('field.assigned')}>{assigned ? <EntityName of="tenants" id={assigned} /> : t('nobody')}</Fact>
        <Heard claim={claim} />
        {decidedAt && <Fact label={t('field.decided_at')}>{formats.dateTime(decidedAt)}</Fact>}
        {claim.reason && <Fact label={t('field.reason')}>{claim.reason}</Fact>}
      </Facts>
      {claim.status !== 'approved' && (
        <Group gap="xs">
          <ApproveClaim claim={claim} />
          {claim.status === 'waiting' && <RejectClaim claim={claim} />}
        </Group>
      )}
    </DrawerText>
  );
}

/** Where the tracker was heard while nobody had it. */
function Heard({ claim: { heard, heard_known: known } }: { claim: ImeiClaim }) {
  const { t } = useTranslation('claims');
  const formats = useFormats();
  if (!heard) return <Fact label={t('field.heard')}>{known ? t('heard.never') : t('heard.unknown')}</Fact>;
  const gateways = heard.gateways.join(', ');
  return (
    <>
      <Fact label={t('field.gateways')}>{heard.more_gateways ? t('heard.more', { gateways }) : gateways}</Fact>
      <Fact label={t('field.firstHeard')}>{formats.dateTime(heard.first_heard)}</Fact>
      <Fact label={t('field.lastHeard')}>{formats.dateTime(heard.last_heard)}</Fact>
      <Fact label={t('field.fixes')}>{formats.number(heard.fixes)}</Fact>
    </>
  );
}

/** Leads to a device, over the claim that speaks of it. */
function DeviceLink({ id, name }: { id: string; name: string }) {
  const { open } = useStackedDrawers();
  return (
    <Anchor component="button" type="button" onClick={() => open('devices', id)}>
      {name}
    </Anchor>
  );
}
