import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';
import { useTranslation } from 'react-i18next';

interface BusyButtonProps extends ButtonProps, Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> {
  /** What it does is under way; whoever is told of a click has to pass it over. */
  busy: boolean;
}

/** Says that its act is under way. It keeps the keyboard meanwhile: a disabled button would lose it, and not get it back. */
export function BusyButton({ busy, children, ...rest }: BusyButtonProps) {
  const { t } = useTranslation();
  return (
    <Button {...rest} data-disabled={busy || undefined} aria-disabled={busy || undefined}>
      {busy ? t('action.processing') : children}
    </Button>
  );
}
