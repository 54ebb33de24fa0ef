import { Anchor, Button, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { IconAntennaBars5 } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { HeardImei } from '@/api/generated';
import { ErrorState } from '@/components/ErrorState';
import { SearchInput } from '@/components/SearchInput';
import { TimeAgo } from '@/components/TimeAgo';
import { useFormats } from '@/i18n/useFormats';
import { usePolling } from '@/lib/usePolling';
import { useListQuery } from '@/resource/calls';
import type { ResourceForm } from '@/resource/defineResource';
import { mayDo, REGISTRY } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Setup.module.css';

const SHOWN = 8;
const POLL_SECONDS = 5;

/** Offers trackers that speak and that nobody has: the one that was just connected comes first. */
export function HeardPick({ form }: { form: ResourceForm }) {
  const { t } = useTranslation('setup');
  const [open, setOpen] = useState(false);
  const id = useId();
  if (!mayDo('heard-imeis', 'list', useSelector(selectPerson))) return null;
  const choose = (imei: string) => {
    form.setValue('imei', imei, { shouldDirty: true, shouldValidate: true });
    setOpen(false);
    form.setFocus('imei');
  };
  return (
    <div className={classes.pick}>
      <Button
        variant="default"
        leftSection={<IconAntennaBars5 size={16} aria-hidden="true" />}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {t('heard.pick')}
      </Button>
      <div id={id} className={classes.wide}>
        {open && <Heard form={form} onChoose={choose} />}
      </div>
    </div>
  );
}

function Heard({ form, onChoose }: { form: ResourceForm; onChoose: (imei: string) => void }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const [q, setQ] = useState('');
  const tenantId = String(useWatch({ control: form.control, name: 'tenant_id' }) ?? '');
  const { currentData, error, refetch } = useListQuery<HeardImei>(
    'heard-imeis',
    { q, page_size: SHOWN, sort: '-first_heard', tenant_id: tenantId || undefined },
    { refetchOnMountOrArgChange: true, pollingInterval: usePolling(POLL_SECONDS) },
  );
  // What waits for a decision is somebody's already.
  const items = currentData?.items.filter(({ claimant }) => !claimant);
  return (
    <div className={classes.part}>
      <SearchInput label={t('heard.search')} value={q} onChange={setQ} />
      {!items && error ? (
        <ErrorState title={t('heard.failed')} error={error} onRetry={() => void refetch()} />
      ) : !items ? (
        <Skeleton height={44} aria-busy="true" />
      ) : items.length === 0 ? (
        <Text c="dimmed">{q ? t('heard.nothingFound') : t('heard.nothing')}</Text>
      ) : (
        <ul className={classes.heard} aria-label={t('heard.pick')}>
          {items.map(({ imei, gateways, first_heard: first, fixes }) => (
            <li key={imei}>
              <UnstyledButton className={classes.choice} onClick={() => onChoose(imei)}>
                <span className="tabular">{imei}</span>
                <Text component="span" size="sm" c="dimmed">
                  {gateways.join(', ')} · <TimeAgo at={first} /> ·{' '}
                  {t('heard.fixes', { count: fixes, formatted: formats.number(fixes) })}
                </Text>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      <Anchor component={Link} to={REGISTRY['heard-imeis'].path} size="sm">
        {t('heard.all')}
      </Anchor>
    </div>
  );
}
