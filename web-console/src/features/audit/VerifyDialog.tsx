import { Alert, Button, Group, Loader, Modal, Progress, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { auditApi } from '@/api/calls/audit';
import type { AuditVerification } from '@/api/generated';
import { BusyButton } from '@/components/BusyButton';
import { ResourceSelect } from '@/resource/ResourceSelect';
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

/** How a check stands. */
interface Run {
  busy: boolean;
  /** The answer so far; of one that is not busy it is the last. */
  found?: AuditVerification;
  error?: unknown;
  stopped?: boolean;
}

/** Entries of one request: progress is seen to move, and a check that was stopped ends soon. */
const ENTRIES_PER_REQUEST = 5000;

/** Reads a chain of entries from its beginning, piece by piece, and says whether anybody has tampered with it. */
export function VerifyDialog({ tenantId, onClose }: VerifyDialogProps) {
  const { t } = useTranslation('audit');
  const { t: common } = useTranslation('common');
  useFocusReturn();
  const choosesChain = can('platform_owner', useSelector(selectPerson));
  const [tenant, setTenant] = useState(tenantId);
  const [verify] = auditApi.useLazyVerifyAuditQuery();
  const [run, setRun] = useState<Run>({ busy: false });
  // Which check it is that runs; what another one still hears is nobody's any more.
  const current = useRef(0);
  useEffect(() => () => void current.current++, []);

  const start = async () => {
    if (run.busy) return;
    const own = ++current.current;
    setRun({ busy: true });
    for (let found: AuditVerification | undefined; ;) {
      const { data, error } = await verify({
        tenantId: tenant || undefined,
        afterSeq: found?.checked,
        afterHash: found?.next_hash,
        limit: ENTRIES_PER_REQUEST,
      });
      if (own !== current.current) return;
      if (error !== undefined || !data) return setRun({ busy: false, error });
      if (data.next_hash === undefined) return setRun({ busy: false, found: data });
      found = data;
      setRun({ busy: true, found });
    }
  };
  const stop = () => {
    current.current++;
    setRun({ busy: false, stopped: true });
  };
  const choose = (chosen: string) => {
    current.current++;
    setTenant(chosen);
    setRun({ busy: false });
  };
  return (
    <Modal opened onClose={onClose} title={t('verify.title')} size="md">
      <div className={classes.dialog}>
        <Text>{t('verify.text')}</Text>
        {choosesChain && (
          <ResourceSelect
            of="tenants"
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
          {run.stopped && <Text>{t('verify.stopped')}</Text>}
          {!run.busy && run.found && <Result found={run.found} />}
        </div>
        {run.busy && run.found && <Reading found={run.found} />}
        {run.error !== undefined && (
          <Alert color="red" variant="outline" role="alert">
            {t('verify.failed')} {errorText(run.error, common)}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {common('action.close')}
          </Button>
          {run.busy && (
            <Button variant="default" onClick={stop}>
              {t('verify.stop')}
            </Button>
          )}
          <BusyButton onClick={() => void start()} busy={run.busy} data-autofocus>
            {run.found && !run.busy ? t('verify.again') : t('verify.start')}
          </BusyButton>
        </Group>
      </div>
    </Modal>
  );
}

/** How far a check has come. It is not announced: it moves several times a second. */
function Reading({ found }: { found: AuditVerification }) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const words = t('verify.progress', { done: formats.number(found.checked), total: formats.number(found.last_seq) });
  return (
    <div>
      <Progress value={(100 * found.checked) / Math.max(found.last_seq, 1)} aria-label={words} />
      <Text size="sm" mt="2xs">
        {words}
      </Text>
    </div>
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
    <Alert
      color="green"
      variant="outline"
      icon={<IconShieldCheck aria-hidden="true" />}
      title={t('verify.intact')}
      className={classes.result}
    >
      <Text>
        {found.checked === 0
          ? t('verify.empty')
          : t('verify.whole', { ...checked, last: formats.number(found.checked) })}
      </Text>
      {at}
    </Alert>
  );
}
