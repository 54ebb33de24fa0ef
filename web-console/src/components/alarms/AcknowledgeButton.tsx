import { Button, type ButtonProps } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Alarm } from '@/api/generated';
import { useAlarmName } from '@/i18n/useAlarmName';
import { lazyPart } from '@/lib/lazyPart';
import { focusAround } from '@/lib/useFocusReturn';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';

// Most who look at alarms only look.
const AcknowledgeOne = lazyPart(async () => (await import('./AcknowledgeOne')).AcknowledgeOne);

/** Acknowledges an alarm that stands, for those who may; with what they have to say of it. */
export function AcknowledgeButton({ alarm, ...look }: { alarm: Alarm } & Pick<ButtonProps, 'size' | 'variant'>) {
  const { t } = useTranslation('alarms');
  const alarmName = useAlarmName();
  const [asking, setAsking] = useState(false);
  const mayAsk = can('alarm:acknowledge', useSelector(selectPerson)) && alarm.state === 'open';
  useEffect(() => (mayAsk ? focusAround : undefined), [mayAsk]);
  if (!mayAsk) return null;
  return (
    <>
      <Button
        {...look}
        leftSection={<IconCheck size={16} aria-hidden="true" />}
        aria-label={t('acknowledge.named', { alarm: alarmName(alarm.kind) })}
        onClick={() => setAsking(true)}
      >
        {t('acknowledge.label')}
      </Button>
      {asking && <AcknowledgeOne alarm={alarm} onClose={() => setAsking(false)} />}
    </>
  );
}
