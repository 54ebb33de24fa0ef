import { Stepper } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '@/theme/breakpoints';
import classes from './Setup.module.css';

const STEPS = ['tracker', 'vehicle', 'packet', 'test'] as const;
/** A step of the way, in the order in which they come. */
export type SetupStep = (typeof STEPS)[number];

interface SetupStepsProps {
  /** Where somebody is; null when all of it is done. */
  present: SetupStep | null;
  /** The steps that somebody may go to now. */
  open: readonly SetupStep[];
  onStep: (step: SetupStep) => void;
}

/** Where on the way somebody is, and what comes. */
export function SetupSteps({ present, open, onStep }: SetupStepsProps) {
  const { t } = useTranslation('setup');
  const isPhone = useIsPhone();
  return (
    <nav aria-label={t('steps')} className={classes.steps}>
      <Stepper
        active={present ? STEPS.indexOf(present) : STEPS.length}
        orientation={isPhone ? 'vertical' : 'horizontal'}
        classNames={{ step: classes.step, stepBody: classes.stepBody }}
        contentPadding={0}
        size={isPhone ? 'xs' : 'sm'}
        iconSize={isPhone ? 28 : 32}
        onStepClick={(place) => STEPS[place] && onStep(STEPS[place])}
      >
        {STEPS.map((step) => (
          <Stepper.Step
            key={step}
            label={t(`step.${step}`)}
            description={isPhone ? undefined : t(`about.${step}`)}
            allowStepSelect={step !== present && open.includes(step)}
            disabled={step !== present && !open.includes(step)}
            aria-current={step === present ? 'step' : undefined}
          />
        ))}
      </Stepper>
    </nav>
  );
}
