import { Button, Group } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Device } from '@/api/types';
import { useStackedDrawers } from '@/lib/drawerParam';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import { FirstPacket } from './FirstPacket';
import classes from './Setup.module.css';
import { SetupSteps, type SetupStep } from './SetupSteps';
import { Summary } from './Summary';
import { TestStep } from './TestStep';
import { noFixes, withFix, type Answer, type TestName } from './tests';
import { useArrivals } from './useArrivals';
import { useSetupAddress } from './useSetupAddress';

/** What comes after a device was made: its first packet, and whether what it reports is right. */
export function DeviceSetup({ device }: { device: Device }) {
  const { t } = useTranslation('setup');
  const { step, goTo } = useSetupAddress();
  const { open } = useStackedDrawers();
  const mayEdit = mayDo('devices', 'update', useSelector(selectPerson));
  const { fix, refused } = useArrivals(device.id);
  const [seen, setSeen] = useState(() => noFixes(Date.now()));
  const [answers, setAnswers] = useState<Partial<Record<TestName, Answer>>>({});
  const now = fix ? withFix(seen, fix) : seen;
  if (now !== seen) setSeen(now);
  const present: SetupStep | null = step === 'done' ? null : step;
  return (
    <>
      <SetupSteps
        present={present}
        open={['packet', 'test']}
        onStep={(to) => (to === 'packet' || to === 'test') && goTo(to)}
      />
      <div className={classes.form}>
        <Group justify="space-between" gap="xs">
          <span>
            <strong>{device.name}</strong> · <span className="tabular">{device.imei}</span>
          </span>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPencil size={16} aria-hidden="true" />}
            onClick={() => open('devices', device.id)}
          >
            {mayEdit ? t('allFields') : t('details')}
          </Button>
        </Group>
        {step === 'packet' && (
          <FirstPacket device={device} fix={fix} refused={refused} since={seen.since} onNext={() => goTo('test')} />
        )}
        {step === 'test' && (
          <TestStep
            device={device}
            fix={fix}
            seen={now}
            answers={answers}
            onAnswer={(test, answer) => setAnswers({ ...answers, [test]: answer })}
            onBack={() => goTo('packet')}
            onNext={() => goTo('done')}
          />
        )}
        {step === 'done' && <Summary device={device} seen={now} answers={answers} />}
      </div>
    </>
  );
}
