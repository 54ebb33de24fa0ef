import { Button } from '@mantine/core';
import { IconRefresh, IconShieldCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withFilters } from '@/components/PeriodChooser';
import classes from '@/components/PeriodChooser.module.css';
import type { ToolbarProps } from '@/resource/defineResource';
import { VerifyDialog } from './VerifyDialog';

/** The newest entries, and the check. */
export function AuditToolbar({ params, onParams, onRefresh }: ToolbarProps) {
  const { t } = useTranslation('audit');
  const [verifying, setVerifying] = useState(false);
  const chosen = (name: string) => params.filters[name]?.[0] ?? '';
  const look = { size: 'compact-sm', variant: 'subtle' } as const;
  return (
    <div className={classes.bar}>
      {chosen('object_id') && (
        <Button
          {...look}
          variant="light"
          rightSection={<IconX size={14} aria-hidden="true" />}
          onClick={() => onParams({ filters: withFilters(params.filters, { object_id: '' }) })}
        >
          {t('onlyThisObject')}
        </Button>
      )}
      <Button {...look} leftSection={<IconRefresh size={14} aria-hidden="true" />} onClick={onRefresh}>
        {t('refresh')}
      </Button>
      <Button
        {...look}
        variant="default"
        leftSection={<IconShieldCheck size={14} aria-hidden="true" />}
        onClick={() => setVerifying(true)}
      >
        {t('verify.action')}
      </Button>
      {verifying && <VerifyDialog tenantId={chosen('tenant_id')} onClose={() => setVerifying(false)} />}
    </div>
  );
}
