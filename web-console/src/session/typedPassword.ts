import { useEffect, useState } from 'react';

/** What somebody has just typed to sign in. */
export interface TypedPassword {
  email: string;
  password: string;
}

let kept: TypedPassword | null = null;

/** Keeps what was typed for the page that comes next and would ask for it again. It is in the memory of this page alone. */
export function keepTypedPassword(typed: TypedPassword): void {
  kept = typed;
}

/** What was typed on the page before; it is this page's from now on, and forgotten with it. */
export function useTypedPassword(): TypedPassword | null {
  const [typed] = useState(() => kept);
  useEffect(() => {
    kept = null;
  }, []);
  return typed;
}
