import { Alert, Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '@/api/types';
import { Fact, Facts } from '@/components/Facts';
import { useFormats } from '@/i18n/useFormats';
import { reportsOf } from './ModelFacts';
import type { NewestFix } from './newestFix';
import { ResultBadge } from './ResultBadge';
import classes from './Setup.module.css';
import { StepTitle } from './StepTitle';
import { isMissing, isRead, resultOf, type Answer, type ObservedFixes, type TestName } from './tests';
import { useTracker } from './useTracker';

interface TestStepProps {
  device: Device;
  fix: NewestFix | null;
  seen: ObservedFixes;
  answers: Partial<Record<TestName, Answer>>;
  onAnswer: (test: TestName, answer: Answer | undefined) => void;
  onBack: () => void;
  onNext: () => void;
}

/** Tries out what a device reports: what somebody does to the vehicle is to be seen here. */
export function TestStep({ device, fix, seen, answers, onAnswer, onBack, onNext }: TestStepProps) {
  const { t } = useTranslation('setup');
  const { model } = useTracker(device.gps_model_id);
  const reports = reportsOf(model);
  const test = (name: TestName) => ({ name, seen, answer: answers[name], onAnswer });
  return (
    <section className={classes.part} aria-label={t('step.test')}>
      <StepTitle>{t('heading.test')}</StepTitle>
      <Text c="dimmed">{fix ? t('test.intro') : t('test.nothingYet')}</Text>
      <Test {...test('ignition')}>
        <Ignition seen={seen} isExpected={reports.includes('ignition')} />
      </Test>
      <Test {...test('fuel')} asks={isRead(seen, 'fuel') ? t('fuel.question') : undefined}>
        <Fuel seen={seen} isExpected={reports.includes('fuel')} />
      </Test>
      <Test {...test('odometer')} asks={isRead(seen, 'odometer') ? t('odometer.question') : undefined}>
        <Odometer seen={seen} />
      </Test>
      <Test {...test('movement')}>
        <Movement fix={fix} seen={seen} />
      </Test>
      <div className={classes.acts}>
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        <Button onClick={onNext}>{t('test.finish')}</Button>
      </div>
    </section>
  );
}

interface TestProps {
  name: TestName;
  seen: ObservedFixes;
  answer: Answer | undefined;
  onAnswer: (test: TestName, answer: Answer | undefined) => void;
  /** What somebody has to say of what was read. */
  asks?: string;
  children: ReactNode;
}

/** One test with what became of it; it can be left out, and taken up again. */
function Test({ name, seen, answer, onAnswer, asks, children }: TestProps) {
  const { t } = useTranslation('setup');
  const result = resultOf(name, seen, answer);
  const title = t(`test.${name}`);
  const say = (answerText: Answer) => (
    <Button
      size="compact-sm"
      variant={answer === answerText ? 'light' : 'default'}
      aria-pressed={answer === answerText}
      onClick={() => onAnswer(name, answerText)}
    >
      {t(`answer.${answerText}`)}
    </Button>
  );
  return (
    <section className={classes.card} aria-label={title}>
      <div className={classes.head}>
        <h3 className={classes.cardTitle}>{title}</h3>
        <span role="status">
          <ResultBadge result={result} />
        </span>
      </div>
      {result === 'skipped' ? null : children}
      {asks && result !== 'skipped' && (
        <div role="group" aria-label={asks} className={classes.head}>
          <span>{asks}</span>
          <span className={classes.waiting}>
            {say('matches')}
            {say('differs')}
          </span>
        </div>
      )}
      {(result === 'open' || result === 'skipped') && (
        <div>
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={t(result === 'skipped' ? 'test.takeUp' : 'test.skip', { test: title })}
            onClick={() => onAnswer(name, result === 'skipped' ? undefined : 'skipped')}
          >
            {result === 'skipped' ? t('answer.again') : t('answer.skip')}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Switched on, and off again; both have to be seen. */
function Ignition({ seen, isExpected }: { seen: ObservedFixes; isExpected: boolean }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  return (
    <>
      <ol className={classes.known}>
        <li>
          {seen.on === undefined ? t('ignition.switchOn') : t('ignition.seenOn', { time: formats.time(seen.on) })}
        </li>
        {seen.on !== undefined && (
          <li>
            {seen.off === undefined ? t('ignition.switchOff') : t('ignition.seenOff', { time: formats.time(seen.off) })}
          </li>
        )}
      </ol>
      {isMissing(seen, 'ignition') && <Missing text={t(isExpected ? 'ignition.lacks' : 'ignition.none')} />}
    </>
  );
}

/** What is in the tank, as it is read. */
function Fuel({ seen, isExpected }: { seen: ObservedFixes; isExpected: boolean }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const { litres, percent } = seen;
  const answerText = [
    litres !== undefined && t('fuel.litres', { formatted: formats.number(litres, 1) }),
    percent !== undefined && `${formats.number(percent)} %`,
  ].filter(Boolean);
  return (
    <>
      <Facts>
        <Fact label={t('fuel.read')}>{answerText.join(' · ')}</Fact>
      </Facts>
      {isMissing(seen, 'fuel') && <Missing text={t(isExpected ? 'fuel.lacks' : 'fuel.none')} />}
    </>
  );
}

function Odometer({ seen }: { seen: ObservedFixes }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const { odometer: metres } = seen;
  return (
    <>
      <Facts>
        <Fact label={t('odometer.read')}>{metres !== undefined && formats.distance(metres)}</Fact>
      </Facts>
      {isMissing(seen, 'odometer') && <Missing text={t('odometer.none')} />}
    </>
  );
}

function Movement({ fix, seen }: { fix: NewestFix | null; seen: ObservedFixes }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  return (
    <Facts>
      <Fact label={t('fix.speed')}>{fix && fix.speed !== null && formats.speed(fix.speed)}</Fact>
      <Fact label={t('movement.seen')}>
        {seen.moving === undefined ? t('movement.drive') : formats.time(seen.moving)}
      </Fact>
    </Facts>
  );
}

const Missing = ({ text }: { text: string }) => (
  <Alert color="yellow" variant="outline">
    {text}
  </Alert>
);
