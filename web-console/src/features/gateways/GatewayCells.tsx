import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Gateway } from '@/api/generated';
import { StatusBadge } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import { useFormats } from '@/i18n/useFormats';
import { useReasonName } from '@/i18n/useReasonName';
import classes from './Gateways.module.css';
import { STATE_TONES } from './gatewayState';

/** A name as it stands in subjects, where every letter counts. */
export const GatewayName = ({ row: { name } }: { row: Gateway }) => <span className={classes.code}>{name}</span>;

/** How a gateway stands, and when it last published. */
export function GatewayStatusCell({ row: { state, last_heard_at: heard } }: { row: Gateway }) {
  const { t } = useTranslation('gateways');
  return (
    <span className={classes.standing}>
      {state !== 'unspecified' && <StatusBadge tone={STATE_TONES[state]}>{t(`state.${state}`)}</StatusBadge>}
      {heard && (
        <span>
          {t('heard')} <TimeAgo at={heard} />
        </span>
      )}
    </span>
  );
}

/** How much of a gateway's was refused since yesterday; why, on hover. The drawer says it to those who cannot hover. */
export function RejectedCount({ row: { rejected, rejections } }: { row: Gateway }) {
  const formats = useFormats();
  const reasonName = useReasonName();
  if (rejected === 0) return formats.number(0);
  const reasons = rejections.map(({ reason, count }) => `${reasonName(reason)}: ${formats.number(count)}`);
  return (
    <Tooltip label={reasons.join('\n')} disabled={reasons.length === 0} className={classes.reasons}>
      <span>
        <StatusBadge tone="warning">{formats.number(rejected)}</StatusBadge>
      </span>
    </Tooltip>
  );
}
