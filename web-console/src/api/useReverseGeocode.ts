import { useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { languageOf } from '@/i18n/languages';
import type { Place } from '@/lib/greatCircle';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { addressBookOf, addressKey, type KnownAddress } from './addressBook';
import type { Dispatch } from './direct';

/**
 * The address of a place in the language on the screen; null while or where there is none, undefined until the server has said
 * something, and of no place. Who may not see where vehicles are has no address either.
 */
export function useReverseGeocode(place: Place | null): KnownAddress {
  const { i18n } = useTranslation();
  const dispatch = useDispatch<Dispatch>();
  const person = useSelector(selectPerson);
  const book = addressBookOf(dispatch, person?.id ?? null);
  const mayAsk = can('position:live', person);
  const key = place && mayAsk ? addressKey(place, languageOf(i18n.language)) : null;
  useEffect(() => {
    if (key !== null) book.want(key);
  }, [book, key]);
  const known = useSyncExternalStore(book.subscribe, () => (key === null ? undefined : book.known(key)));
  return mayAsk ? known : null;
}
