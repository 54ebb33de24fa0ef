import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useIsPhone } from '@/theme/breakpoints';

interface CellLinkProps {
  to: string | undefined;
  /** What it is called until its text is there. */
  title?: string;
  children: ReactNode;
}

/** A link inside of a row that opens something else. On a phone the whole card is one button, and holds no links. */
export function CellLink({ to, title, children }: CellLinkProps) {
  const isPhone = useIsPhone();
  if (to === undefined || isPhone) return children;
  return (
    <Anchor component={Link} to={to} title={title} inherit onClick={(event) => event.stopPropagation()}>
      {children}
    </Anchor>
  );
}
