import { useState } from 'react';
import { useSelector } from 'react-redux';
import { dayBegins, dayOf } from '@/i18n/timeZone';
import { selectTimeZone } from '@/session/sessionSlice';
import { momentOf } from './figures';

/** From when on something holds: now, unless somebody says another moment. */
export function useSince() {
  const zone = useSelector(selectTimeZone);
  const [isOther, setOther] = useState(false);
  const [today] = useState(() => dayOf(Date.now(), zone));
  const [day, setDay] = useState(today);
  const [clock, setClock] = useState('');
  const moment = momentOf(dayBegins(day, zone), clock);
  const at = isOther ? moment : undefined;
  return { isOther, setOther, day, setDay, clock, setClock, at, isKnown: !isOther || at !== undefined, today };
}
