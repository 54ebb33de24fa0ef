import { Anchor, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ImeiClaim } from '@/api/types';
import { DetailDrawer } from '@/components/DetailDrawer';
import { EmptyState } from '@/components/EmptyState';
import { useFormats } from '@/i18n/useFormats';
import { ApproveClaim } from './ApproveClaim';
import { ClaimBadge, TenantName } from './claimDefinition';
import { RejectClaim } from './RejectClaim';
import classes from './ClaimDrawer.module.css';

interface ClaimDrawerProps {
  id: string;
  /** The page of the list behind, to go through one by one. */
  claims: ImeiClaim[];
  onShow: (id: string) => void;
  onClose: () => void;
}

/** One claim with all that is known of the tracker, and the decision. */
export function ClaimDrawer({ id, claims, onShow, onClose }: ClaimDrawerProps) {
  const { t } = useTranslation('claims');
  const place = claims.findIndex((each) => each.id === id);
  const claim = claims[place];
  const to = (neighbour: ImeiClaim | undefined) => (neighbour ? () => onShow(neighbour.id) : null);
  return (
    <DetailDrawer
      title={claim?.imei ?? t('goneTitle')}
      subtitle={claim && <ClaimBadge status={claim.status} />}
      previous={claim && to(claims[place - 1])}
      next={claim && to(claims[place + 1])}
      onClose={onClose}
    >
      {claim ? <Claim claim={claim} /> : <EmptyState title={t('goneTitle')} text={t('goneText')} />}
    </DetailDrawer>
  );
}

function Claim({ claim }: { claim: ImeiClaim }) {
  const { t } = useTranslation('claims');
  const formats = useFormats();
  const { holder, assigned_tenant_id: assigned, decided_at: decidedAt } = claim;
  return (
    <div className={classes.claim}>
      <dl className={classes.facts}>
        <Fact label={t('field.tenant')}>
          <TenantName id={claim.tenant_id} />
        </Fact>
        <Fact label={t('field.device')}>
          <DeviceLink id={claim.device_id} name={claim.device_name} />
        </Fact>
        <Fact label={t('field.claimedAt')}>{formats.dateTime(claim.claimed_at)}</Fact>
        <Fact label={t('field.model')}>
          <span className="tabular">{claim.imei.slice(0, 8)}</span>
        </Fact>
        <Fact label={t('field.checkDigit')}>
          {claim.check_digit_ok ? t('checkDigit.right') : t('checkDigit.wrong')}
        </Fact>
        <Fact label={t('field.holder')}>
          {holder ? (
            <>
              <TenantName id={holder.tenant_id} />, <DeviceLink id={holder.device_id} name={holder.device_name} />
            </>
          ) : (
            t('nobody')
          )}
        </Fact>
        <Fact label={t('field.assigned')}>{assigned ? <TenantName id={assigned} /> : t('nobody')}</Fact>
        <Heard claim={claim} />
        {decidedAt && <Fact label={t('field.decidedAt')}>{formats.dateTime(decidedAt)}</Fact>}
        {claim.reason && <Fact label={t('field.reason')}>{claim.reason}</Fact>}
      </dl>
      {claim.status !== 'approved' && (
        <Group gap="xs">
          <ApproveClaim claim={claim} />
          {claim.status === 'waiting' && <RejectClaim claim={claim} />}
        </Group>
      )}
    </div>
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

const DeviceLink = ({ id, name }: { id: string; name: string }) => (
  <Anchor component={Link} to={`/devices?open=${id}`}>
    {name}
  </Anchor>
);

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
