import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageSwitch } from './LanguageSwitch';
import { LiveView } from './LiveView';
import classes from './Share.module.css';
import { PinForm } from './PinForm';
import { useScheme } from './useScheme';
import { Visit } from './visit';

const tokenOfAddress = () => window.location.hash.slice(1);

/** Another link in the same tab. */
function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** What the address of a share link shows to whoever opens it, without an account. */
export function SharePage() {
  // Whatever is shown goes with the system from day to night.
  useScheme();
  const token = useSyncExternalStore(subscribe, tokenOfAddress);
  return <Shared key={token} token={token} />;
}

function Shared({ token }: { token: string }) {
  const { t, i18n } = useTranslation('share');
  const [visit] = useState(() => new Visit(token));
  const state = useSyncExternalStore(visit.subscribe, visit.current);
  useEffect(() => {
    visit.start();
    return () => visit.stop();
  }, [visit]);
  const title = t('title');
  useEffect(() => {
    document.title = `${title} · Armada`;
  }, [title, i18n.language]);

  if (state.stage === 'live') return <LiveView {...state} />;
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <img src="/favicon.svg" width={32} height={32} alt="" />
          <span>Armada</span>
        </div>
        {state.stage === 'opening' && (
          <div role="status" aria-busy={!state.failed}>
            <h1>{t('opening')}</h1>
            {state.failed && <p className={classes.dimmed}>{t('unreachable')}</p>}
          </div>
        )}
        {state.stage === 'pin' && (
          <PinForm busy={state.busy} problem={state.problem} onEnter={(pin) => visit.enter(pin)} />
        )}
        {state.stage === 'over' && (
          <div role="status">
            <h1>{t(`over.${state.why}.title`)}</h1>
            <p className={classes.dimmed}>{t(`over.${state.why}.text`)}</p>
          </div>
        )}
      </div>
      <LanguageSwitch />
    </main>
  );
}
