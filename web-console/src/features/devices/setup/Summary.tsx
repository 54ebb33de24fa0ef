import { Button, Text } from '@mantine/core';
import { IconMap2, IconPlus, IconTruck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { Device } from '@/api/types';
import { useFormats } from '@/i18n/useFormats';
import { setupPath } from '@/lib/address';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import { ResultBadge } from './ResultBadge';
import classes from './Setup.module.css';
import { StepTitle } from './StepTitle';
import { resultOf, TESTS, type Answer, type ObservedFixes, type TestName } from './tests';

interface SummaryProps {
  device: Device;
  seen: ObservedFixes;
  answers: Partial<Record<TestName, Answer>>;
}

/** What came of it all, and where somebody goes from here: to the next vehicle, mostly. */
export function Summary({ device, seen, answers }: SummaryProps) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const mayAdd = mayDo('devices', 'create', useSelector(selectPerson));
  const results = TESTS.map((test) => ({ test, result: resultOf(test, seen, answers[test]) }));
  const isGood = seen.last !== undefined && results.every(({ result }) => result === 'passed' || result === 'skipped');
  const at = encodeURIComponent(device.id);
  return (
    <section className={classes.part} aria-label={t('done.title')}>
      <StepTitle>{isGood ? t('done.good') : t('done.title')}</StepTitle>
      <ul className={`${classes.card} ${classes.results}`} aria-label={t('done.results')}>
        <li className={classes.result}>
          <span>{t('step.packet')}</span>
          <ResultBadge result={seen.last === undefined ? 'unheard' : 'passed'} />
        </li>
        {results.map(({ test, result }) => (
          <li key={test} className={classes.result}>
            <span>
              {t(`test.${test}`)}
              {test === 'ignition' && seen.on !== undefined && seen.off !== undefined && (
                <Text component="span" size="sm" c="dimmed">
                  {' '}
                  {formats.time(seen.on)} – {formats.time(seen.off)}
                </Text>
              )}
            </span>
            <ResultBadge result={result} />
          </li>
        ))}
      </ul>
      {results.some(({ result }) => result === 'differs') && <Text size="sm">{t('done.differs')}</Text>}
      <div className={classes.acts}>
        {mayAdd && (
          <Button
            component={Link}
            to={setupPath({ like: device.id })}
            leftSection={<IconPlus size={16} aria-hidden="true" />}
          >
            {t('done.next')}
          </Button>
        )}
        <Button
          component={Link}
          to={`/devices/${at}`}
          variant="default"
          leftSection={<IconTruck size={16} aria-hidden="true" />}
        >
          {t('done.page')}
        </Button>
        <Button
          component={Link}
          to={`/maps?device_id=${at}`}
          variant="default"
          leftSection={<IconMap2 size={16} aria-hidden="true" />}
        >
          {t('done.map')}
        </Button>
      </div>
    </section>
  );
}
