import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useIsPhone } from '@/theme/breakpoints';

/** A link inside of a row that opens something else. On a phone the whole card is one button, and holds no links. */
export function CellLink({ to, children }: { to: string | undefined; children: ReactNode }) {
  const isPhone = useIsPhone();
  if (to === undefined || isPhone) return children;
  return (
    <Anchor component={Link} to={to} inherit onClick={(event) => event.stopPropagation()}>
      {children}
    </Anchor>
  );
}
