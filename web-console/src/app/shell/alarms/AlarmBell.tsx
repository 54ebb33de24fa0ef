import { ActionIcon, Popover } from '@mantine/core';
import { IconBell, IconBellRinging } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Alarm } from '@/api/generated';
import { useOpenAlarms } from '@/components/alarms/useOpenAlarms';
import { useFormats } from '@/i18n/useFormats';
import { lazyPart } from '@/lib/lazyPart';
import classes from './Bell.module.css';
import { OpenAlarmList } from './OpenAlarmList';

const AcknowledgeOne = lazyPart(async () => (await import('@/components/alarms/AcknowledgeOne')).AcknowledgeOne);

/** How many alarms nobody has acknowledged, and which; for who may see alarms. */
export function AlarmBell() {
  const { t } = useTranslation(['common', 'alarms']);
  const formats = useFormats();
  const open = useOpenAlarms();
  const [shown, setShown] = useState(false);
  const [asked, setAsked] = useState<Alarm | null>(null);
  if (!open) return null;
  const count = open.count ?? 0;
  const label = count === 0 ? t('alarms:standing.none') : t('alarms.open', { count, formatted: formats.number(count) });
  const Shape = count === 0 ? IconBell : IconBellRinging;
  return (
    <>
      <Popover opened={shown} onChange={setShown} position="bottom-end" width={360} withinPortal={false} trapFocus>
        <Popover.Target>
          <ActionIcon
            className={classes.bell}
            aria-label={label}
            title={label}
            data-testid="alarm-bell"
            onClick={() => setShown(!shown)}
          >
            <Shape size={18} aria-hidden="true" />
            {count > 0 && (
              <span className={classes.count} aria-hidden="true">
                {count > 99 ? '99+' : formats.number(count)}
              </span>
            )}
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown className={classes.dropdown} aria-label={label}>
          <OpenAlarmList
            open={open}
            onAcknowledge={(alarm) => {
              setShown(false);
              setAsked(alarm);
            }}
            onLeave={() => setShown(false)}
          />
        </Popover.Dropdown>
      </Popover>
      {asked && <AcknowledgeOne alarm={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
