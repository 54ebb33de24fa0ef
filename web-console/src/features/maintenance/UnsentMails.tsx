import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useMaintenanceSummaryQuery } from '@/api/calls/maintenance';
import { useFormats } from '@/i18n/useFormats';
import { selectPerson } from '@/session/sessionSlice';

/** Says to admins that emails about maintenance did not go out, since too many had gone to addresses of nobody's account. */
export function UnsentMails() {
  const { t } = useTranslation('maintenance');
  const formats = useFormats();
  const person = useSelector(selectPerson);
  const { data } = useMaintenanceSummaryQuery({}, { skip: !person?.isTenantAdmin && !person?.isPlatformOwner });
  const count = data?.unsent_emails ?? 0;
  if (count === 0) return null;
  return (
    <Alert color="yellow" variant="light" role="status" mb="sm">
      {t('unsentMails', { count, formatted: formats.number(count) })}
    </Alert>
  );
}
