import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Device } from '@/api/types';
import { hasWrongCheckDigit, isTrackerId, lacksCheckDigit, trackerId } from '@/lib/imei';

/** What there is to know of an IMEI that is being typed: that it looks wrong, or that somebody has to decide on it. */
export function ImeiNotice({ value: imei, row: device }: { value: string; row: Device | undefined }) {
  const { t } = useTranslation('devices');
  const same = device?.imei === trackerId(imei);
  const isReplaced = device && !same && isTrackerId(imei);
  return (
    <div role="status">
      {isReplaced && (
        <Alert color="blue" variant="outline">
          {t('imei.replaced')}
        </Alert>
      )}
      {hasWrongCheckDigit(imei) && (
        <Alert color="yellow" variant="outline">
          {t('imei.checkDigit')}
        </Alert>
      )}
      {lacksCheckDigit(imei) && (
        <Alert color="yellow" variant="outline">
          {t('imei.short')}
        </Alert>
      )}
      {same && device.warnings.includes('imei_case') && (
        <Alert color="yellow" variant="outline">
          {t('imei.alike')}
        </Alert>
      )}
      {same && device.imei_status === 'pending' && (
        <Alert color="yellow" variant="outline" title={t('imei.pending')}>
          {t('imei.pendingText')}
        </Alert>
      )}
      {same && device.imei_status === 'rejected' && (
        <Alert color="red" variant="outline" title={t('imei.rejected')}>
          {t('imei.rejectedText', { reason: device.imei_reason })}
        </Alert>
      )}
    </div>
  );
}
