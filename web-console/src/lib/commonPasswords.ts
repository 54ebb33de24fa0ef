import { useEffect, useState } from 'react';

/** The passwords that are tried first, in lower case: a copy of what the server refuses, which only those load who choose one. */
const load = async (): Promise<ReadonlySet<string>> =>
  new Set((await import('./commonPasswords.txt?raw')).default.trim().split('\n'));

/** The same; undefined until they are there. Without them the server says so when the password is sent. */
export function useCommonPasswords(): ReadonlySet<string> | undefined {
  const [common, setCommon] = useState<ReadonlySet<string>>();
  useEffect(() => {
    let gone = false;
    load().then(
      (loaded) => {
        if (!gone) setCommon(loaded);
      },
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, []);
  return common;
}
