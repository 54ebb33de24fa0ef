import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';

/** Why somebody could not sign in: what failed and, where that is known, why. */
export interface SignInProblem {
  title?: string;
  text?: string;
}

/** Shows it. */
export function Problem({ id, problem: { title, text } }: { id: string; problem: SignInProblem }) {
  const icon = <IconAlertCircle size={18} aria-hidden="true" />;
  return (
    <Alert
      id={id}
      color="red"
      variant="outline"
      icon={icon}
      role="alert"
      title={title}
      styles={{ message: { color: 'var(--armada-text)' } }}
    >
      {text}
    </Alert>
  );
}
