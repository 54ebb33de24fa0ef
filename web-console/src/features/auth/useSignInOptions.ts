import { useEffect, useState } from 'react';
import type { SignInOptions } from '@/api/generated';
import { signInOptions } from '@/api/signIn';

/** Which ways in there are, once that is known. */
export function useSignInOptions(): SignInOptions | undefined {
  const [options, setOptions] = useState<SignInOptions>();
  useEffect(() => {
    let gone = false;
    void signInOptions().then((known) => {
      if (!gone) setOptions(known);
    });
    return () => {
      gone = true;
    };
  }, []);
  return options;
}
