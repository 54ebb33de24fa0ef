import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './Share.module.css';

interface PinFormProps {
  busy: boolean;
  /** What was wrong with the last one, in words. */
  problem: string | null;
  onEnter: (pin: string) => void;
}

/** Asks for the PIN of a link. */
export function PinForm({ busy, problem, onEnter }: PinFormProps) {
  const { t } = useTranslation('share');
  const [pin, setPin] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // At first, and when it was wrong.
    if (!busy) input.current?.focus();
  }, [busy, problem]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && pin !== '') onEnter(pin);
  };
  return (
    <form onSubmit={submit} className={classes.form} noValidate>
      <h1>{t('pin.title')}</h1>
      <p className={classes.dimmed}>{t('pin.text')}</p>
      <label className={classes.field}>
        <span>{t('pin.label')}</span>
        <input
          ref={input}
          value={pin}
          onChange={(event) => setPin(event.currentTarget.value.replace(/\D/g, '').slice(0, 8))}
          inputMode="numeric"
          autoComplete="one-time-code"
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : 'pin-problem'}
        />
      </label>
      {problem !== null && (
        <p id="pin-problem" role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      <button type="submit" className={classes.primary} disabled={busy || pin.length < 4}>
        {t('pin.submit')}
      </button>
    </form>
  );
}
