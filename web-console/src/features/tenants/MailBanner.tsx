import { IconMailX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMailStatusQuery } from '@/api/calls/mails';
import { Banner } from '@/components/Banner';
import { useFormats } from '@/i18n/useFormats';

const POLL_MS = 60_000;
/** RFC 4954, section 6: what a mail server answers whom it does not let in. */
const SIGN_IN_CODES = new Set(['454', '530', '534', '535', '538']);

function reasonOf(failure: string) {
  if (SIGN_IN_CODES.has(failure)) return 'sign_in';
  if (failure.startsWith('certificate_')) return 'certificate';
  return failure === 'no_answer' ? 'no_answer' : 'other';
}

/** Says to platform owners, over every screen, that mail does not go out: resets, invitations and reminders with it. */
export function MailBanner() {
  const { t } = useTranslation('tenants');
  const formats = useFormats();
  const { data } = useMailStatusQuery(undefined, { pollingInterval: POLL_MS, skipPollingIfUnfocused: true });
  if (!data?.failing || !data.failing_since) return null;
  const since = formats.dateTime(data.failing_since);
  const counts = { count: data.waiting, formatted: formats.number(data.waiting) };
  return (
    <Banner icon={IconMailX} title={t('mail.title')} failing testId="mail-banner">
      {t(`mail.failure.${reasonOf(data.failure)}`, { since, code: data.failure })} {t('mail.waiting', counts)}
    </Banner>
  );
}
