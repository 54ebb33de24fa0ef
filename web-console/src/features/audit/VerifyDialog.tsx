import { Alert, Button, Group, Loader, Modal, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useLazyVerifyAuditQuery } from '@/api/api';
import type { AuditVerification } from '@/api/generated';
import { BusyButton } from '@/components/BusyButton';
import { TenantSelect } from '@/components/TenantSelect';
import { errorText } from '@/i18n/errorText';
import { useFormats } from '@/i18n/useFormats';
import { useFocusReturn } from '@/lib/useFocusReturn';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './VerifyDialog.module.css';

interface VerifyDialogProps {
  /** The tenant that a platform owner looks at; empty for the platform's own chain. */
  tenantId: string;
  onClose: () => void;
}

/** Reads a chain of entries from its beginning and says whether anybody has tampered with it. */
export function VerifyDialog({ tenantId, onClose }: VerifyDialogProps) {
  const { t } = useTranslation('audit');
  const { t: common } = useTranslation('common');
  useFocusReturn();
  const choosesChain = can('platform_owner', useSelector(selectPerson));
  const [tenant, setTenant] = useState(tenantId);
  const [verify] = useLazyVerifyAuditQuery();
  const [run, setRun] = useState<{ busy: boolean; found?: AuditVerification; error?: unknown }>({ busy: false });

  const start = async () => {
    if (run.busy) return;
    setRun({ busy: true });
    const { data, error } = await verify({ tenantId: tenant || undefined });
    setRun(error === undefined ? { busy: false, found: data } : { busy: false, error });
  };
  const choose = (chosen: string) => {
    setTenant(chosen);
    setRun({ busy: false });
  };
  return (
    <Modal opened onClose={onClose} title={t('verify.title')} size="md">
      <div className={classes.dialog}>
        <Text>{t('verify.text')}</Text>
        {choosesChain && (
          <TenantSelect
            label={t('verify.chain')}
            description={t('verify.chainHelp')}
            placeholder={t('verify.platform')}
            clearable
            value={tenant}
            onChange={choose}
          />
        )}
        <div role="status" aria-busy={run.busy || undefined}>
          {run.busy && (
            <Group gap="xs">
              <Loader size={18} /> {t('verify.running')}
            </Group>
          )}
          {run.found && <Result found={run.found} />}
        </div>
        {run.error !== undefined && (
          <Alert color="red" variant="outline" role="alert">
            {t('verify.failed')} {errorText(run.error, common)}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {common('action.close')}
          </Button>
          <BusyButton onClick={() => void start()} busy={run.busy} data-autofocus>
            {run.found ? t('verify.again') : t('verify.start')}
          </BusyButton>
        </Group>
      </div>
    </Modal>
  );
}

function Result({ found }: { found: AuditVerification }) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const checked = { count: found.checked, formatted: formats.number(found.checked) };
  const at = <Text size="sm">{t('verify.at', { time: formats.dateTime(found.verified_at) })}</Text>;
  if (found.defect) {
    const seq = formats.number(found.defect_seq ?? 0);
    return (
      <Alert
        color="red"
        variant="outline"
        icon={<IconShieldX aria-hidden="true" />}
        title={t('verify.broken', { seq })}
        className={classes.result}
      >
        <Text>{t(`verify.defect.${found.defect}`, { seq })}</Text>
        <Text>{t('verify.readUntil', checked)}</Text>
        {at}
      </Alert>
    );
  }
  return (
    <Alert color="green" variant="outline" icon={<IconShieldCheck aria-hidden="true" />} title={t('verify.intact')} className={classes.result}>
      <Text>{found.checked === 0 ? t('verify.empty') : t('verify.whole', { ...checked, last: formats.number(found.checked) })}</Text>
      {at}
    </Alert>
  );
}
