import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';

/** Why somebody could not sign in. */
export function Problem({ id, text }: { id: string; text: string }) {
  const icon = <IconAlertCircle size={18} aria-hidden="true" />;
  return (
    <Alert id={id} color="red" variant="outline" icon={icon} role="alert" styles={{ message: { color: 'var(--armada-text)' } }}>
      {text}
    </Alert>
  );
}
