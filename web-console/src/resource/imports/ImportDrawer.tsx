import { Alert, Button, Group } from '@mantine/core';
import { useRef, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '@/components/BusyButton';
import { DetailDrawer } from '@/components/DetailDrawer';
import { useUnsaved } from '@/components/unsaved';
import { useFocusOnMount } from '@/lib/useFocusOnMount';
import type { ResourceKey } from '../registry';
import { useResourceTexts } from '../texts';
import { CheckStep } from './CheckStep';
import { ColumnsStep } from './ColumnsStep';
import { FileStep } from './FileStep';
import body from '@/components/DrawerBody.module.css';
import classes from './Import.module.css';
import { STEPS, useImport, type Importing } from './useImport';

interface ImportDrawerProps {
  of: ResourceKey;
  /** Whose new rows are at first, where a platform owner chooses. */
  tenantId: string;
  onClose: () => void;
}

/** Takes things in from a file: it is chosen, its columns are understood, it is tried out, and a job does the rest. */
export function ImportDrawer({ of, tenantId, onClose }: ImportDrawerProps) {
  const { t } = useResourceTexts(of);
  const started = useRef(false);
  const importing = useImport(of, tenantId, () => {
    started.current = true;
    onClose();
  });
  const { step, file } = importing;
  useUnsaved({ saving: false, holdsChanges: () => file !== undefined && !started.current });
  const place = { step: STEPS.indexOf(step) + 1, steps: STEPS.length, name: t(`import.step.${step}`) };
  const Step = CONTENT[step];
  return (
    <DetailDrawer title={t('import.title')} subtitle={t('import.place', place)} size={720} onClose={onClose}>
      <Step key={step} of={of} importing={importing} onClose={onClose} />
    </DetailDrawer>
  );
}

const CONTENT = { file: FileStep, columns: ColumnsStep, check: CheckStep };

/** What each step is given. */
export interface StepProps {
  of: ResourceKey;
  importing: Importing;
  onClose: () => void;
}

interface StepFrameProps {
  importing: Importing;
  /** What it is for. */
  title: string;
  children: ReactNode;
  /** What leads on; a step without it goes on by itself. */
  next?: { label: string; disabled?: boolean; onClick: () => void };
  /** Further buttons of the footer. */
  back: ReactNode;
}

/** A step: its heading, which has the keyboard at first, what is wrong, and a footer that stays in sight. */
export function StepFrame({ importing, title, children, next, back }: StepFrameProps) {
  const heading = useFocusOnMount<HTMLHeadingElement>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!importing.busy && !next?.disabled) next?.onClick();
  };
  return (
    <form className={classes.step} onSubmit={submit}>
      <div className={body.content} aria-busy={importing.busy}>
        <h3 ref={heading} tabIndex={-1} className={classes.heading}>
          {title}
        </h3>
        {importing.problem && (
          <Alert color="red" variant="outline" role="alert" className={classes.problem}>
            {importing.problem}
          </Alert>
        )}
        {children}
      </div>
      <Group justify="flex-end" gap="xs" className={body.footer}>
        {back}
        {next && (
          <BusyButton type="submit" busy={importing.busy} disabled={next.disabled}>
            {next.label}
          </BusyButton>
        )}
      </Group>
    </form>
  );
}

/** Leads to the step before; `stops` names what ends with it. */
export function BackButton({ stops, onClick }: { stops?: string; onClick: () => void }) {
  const { t } = useTranslation('resource');
  return (
    <Button variant="default" onClick={onClick}>
      {stops ?? t('import.back')}
    </Button>
  );
}
