import { Alert, Checkbox, SegmentedControl, Text } from '@mantine/core';
import { useFormats } from '@/i18n/useFormats';
import { useIsPhone } from '@/theme/breakpoints';
import type { ImportMissing } from '../jobs';
import { useResourceTexts } from '../texts';
import { fieldLabel } from './fieldLabel';
import classes from './Import.module.css';
import type { ProposalChoice } from './importCalls';
import type { StepProps } from './ImportDrawer';

const PROPOSALS: ProposalChoice[] = ['ask', 'take', 'leave'];

/** What the file names that there is not yet, and whether that is made. */
export function MissingThings({ of, importing }: Pick<StepProps, 'of' | 'importing'>) {
  const texts = useResourceTexts(of);
  const { t } = texts;
  const { choices, preview, trial, busy } = importing;
  const { missing = [] } = trial;
  if (missing.length === 0) return null;
  const label = (name: string) =>
    fieldLabel(texts, preview?.fields.find((field) => field.name === name) ?? { name, label: '' });
  return (
    <Alert color="yellow" variant="outline">
      <Text fw={600}>{t('import.missingThings')}</Text>
      <ul className={classes.missing}>
        {missing.map((things) => (
          <li key={things.field}>
            <Names of={of} things={things} label={label(things.field)} />
          </li>
        ))}
      </ul>
      {missing.some(({ may_create }) => may_create) && (
        <Checkbox
          label={t('import.createMissing')}
          description={t('import.createMissingHelp')}
          checked={choices.createMissing}
          disabled={busy || trial.job !== undefined}
          onChange={({ currentTarget }) => void importing.setChoices({ createMissing: currentTarget.checked })}
        />
      )}
    </Alert>
  );
}

function Names({ of, things, label }: Pick<StepProps, 'of'> & { things: ImportMissing; label: string }) {
  const { t } = useResourceTexts(of);
  const formats = useFormats();
  const { count, names, may_create: mayCreate } = things;
  const first = names.join(', ');
  const told = names.length < count ? t('import.andOthers', { names: first }) : first;
  return (
    <>
      {t('import.missingOf', { field: label, formatted: formats.number(count), names: told })}{' '}
      {!mayCreate && <strong>{t('import.mayNotCreate')}</strong>}
    </>
  );
}

/** What is done with numbers that may have lost zeros; nothing is asked where there are none. */
export function LostZeros({ of, importing }: Pick<StepProps, 'of' | 'importing'>) {
  const { t } = useResourceTexts(of);
  const { choices, trial, busy } = importing;
  const isPhone = useIsPhone();
  const isAsked = trial.report?.errors.some(({ proposals }) => proposals && Object.keys(proposals).length > 0);
  if (!isAsked && choices.proposals === 'ask') return null;
  return (
    <div>
      <Text size="sm" mb={4}>
        {t('import.proposals')}
      </Text>
      <SegmentedControl
        aria-label={t('import.proposals')}
        orientation={isPhone ? 'vertical' : 'horizontal'}
        fullWidth={isPhone}
        data={PROPOSALS.map((value) => ({ value, label: t(`import.proposal.${value}`) }))}
        value={choices.proposals}
        disabled={busy || trial.job !== undefined}
        onChange={(proposals) => void importing.setChoices({ proposals: proposals as ProposalChoice })}
      />
    </div>
  );
}
