import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { useGetPreferenceQuery, useSetPreferenceMutation } from '@/api/calls/account';
import { selectPerson } from '@/session/sessionSlice';

/** What a browser knows of a preference. */
interface CachedPreference {
  /** Null while its person has chosen nothing. */
  value: object | null;
  /** The server has not heard of it yet; `unless_there` yields to what the server has. */
  unsent?: 'always' | 'unless_there';
}

const storageKey = (personId: string | undefined, key: string) => `preference.${personId ?? ''}.${key}`;

function readKnown(text: string | null | undefined): CachedPreference | undefined {
  try {
    const known = JSON.parse(text ?? 'null') as CachedPreference | null;
    return known && typeof known.value === 'object' ? known : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What a browser had kept of a person by itself, from now on kept as a preference of this key, unless the person has chosen
 * something elsewhere.
 */
export function adoptPreference(personId: string | undefined, key: string, value: object): void {
  const place = storageKey(personId, key);
  const known: CachedPreference = { value, unsent: 'unless_there' };
  if (localStorage.getItem(place) === null) localStorage.setItem(place, JSON.stringify(known));
}

/**
 * How somebody has chosen to see something: an object, null while nothing is chosen, undefined while nobody knows. It is the
 * person's, in every browser; this one remembers what it was last, shows that at once, and tells its other tabs. What is
 * chosen while the server is away holds here, and is sent when it is back. The last choice wins.
 */
export function usePreference(key: string): [object | null | undefined, (value: object | null) => void] {
  const personId = useSelector(selectPerson)?.id;
  const [known, keep] = useLocalStorage<CachedPreference | undefined>({
    key: storageKey(personId, key),
    getInitialValueInEffect: false,
    deserialize: readKnown,
  });
  const { data, fulfilledTimeStamp, error: away } = useGetPreferenceQuery({ key }, { refetchOnMountOrArgChange: true });
  const [put] = useSetPreferenceMutation();
  /** What is to be sent; one after the other, so that the last one stays. */
  const outgoing = useRef<CachedPreference | undefined>(undefined);
  const sending = useRef(false);

  const send = async (chosen: CachedPreference) => {
    outgoing.current = chosen;
    if (sending.current) return;
    sending.current = true;
    for (
      let sent: CachedPreference | undefined = chosen;
      sent;
      sent = outgoing.current === sent ? undefined : outgoing.current
    ) {
      const { error } = await put({ key, preferenceInput: { value: sent.value } });
      // It is tried again with the next answer of the server.
      if (error) break;
      if (outgoing.current === sent) keep({ value: sent.value });
    }
    sending.current = false;
  };
  const choose = (value: object | null) => {
    const chosen: CachedPreference = { value, unsent: 'always' };
    keep(chosen);
    void send(chosen);
  };
  const onUpdate = () => {
    const value = data?.value ?? null;
    if (known?.unsent === 'always' || (known?.unsent && value === null)) void send(known);
    else keep({ value });
  };

  const latest = useRef(onUpdate);
  useEffect(() => {
    latest.current = onUpdate;
  });
  useEffect(() => {
    if (fulfilledTimeStamp !== undefined) latest.current();
  }, [fulfilledTimeStamp]);

  return [known ? known.value : away ? null : undefined, choose];
}
