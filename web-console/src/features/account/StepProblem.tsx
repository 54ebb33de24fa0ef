import { Alert } from '@mantine/core';
import classes from './TwoFactor.module.css';

/** Why a step could not be taken. */
export function StepProblem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <Alert id="factor-problem" color="red" variant="outline" role="alert" className={classes.problem}>
      {text}
    </Alert>
  );
}
