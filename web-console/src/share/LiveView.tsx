import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { formatsFor } from '@/i18n/format';
import { languageOf } from '@/i18n/languages';
import { useNow } from '@/lib/useNow';
import { USUAL_AGES, vehicleState, type VehicleState } from '@/live/vehicleState';
import { SharedMap } from '@/map/SharedMap';
import { choiceInForce, loadBaseChoice, sourceOf, type MapSource } from '@/map/tileSource';
import { LanguageSwitch } from './LanguageSwitch';
import classes from './Live.module.css';
import { useScheme } from './useScheme';
import type { SharedVehicle } from './visit';

interface LiveViewProps {
  connected: boolean;
  vehicles: SharedVehicle[];
  expiresAt: string;
  /** The street maps of the server. */
  mapSources: MapSource[];
}

/** What a vehicle does now, as far as a visitor is told. */
function stateOf({ position, offline_seconds: offline }: SharedVehicle, now: number): VehicleState {
  if (!position) return 'no_data';
  const { recorded_at: at, speed = 0, motion } = position;
  const ages = offline === undefined ? undefined : { ...USUAL_AGES, offlineAfterMs: 1000 * offline };
  const known = { recordedAt: Date.parse(at), speed, motion, ignition: null, ages };
  return vehicleState(known, now);
}

/** The vehicles of a link on the map, and how fast and how old that is. */
export function LiveView({ connected, vehicles, expiresAt, mapSources }: LiveViewProps) {
  const { t, i18n } = useTranslation('share');
  const formats = formatsFor(i18n.language);
  const scheme = useScheme();
  const now = useNow();
  const [kept] = useState(loadBaseChoice);
  const source = useMemo(() => sourceOf(choiceInForce(kept, mapSources), mapSources), [kept, mapSources]);
  const only = vehicles.length === 1 ? vehicles[0]?.number : undefined;
  const [chosen, setChosen] = useState<number | null>(null);
  const [following, setFollowing] = useState(only !== undefined);
  const selected = chosen ?? only ?? null;
  const placed = useMemo(
    () =>
      vehicles.flatMap((vehicle) => {
        const { number, name, position } = vehicle;
        if (!position) return [];
        const { lat, lng, course = 0 } = position;
        return [{ number, name, lat, lng, course, state: stateOf(vehicle, now) }];
      }),
    [vehicles, now],
  );
  const select = useCallback((number: number) => {
    setChosen(number);
    setFollowing(true);
  }, []);
  const endFollowing = useCallback(() => setFollowing(false), []);
  return (
    <div className={classes.view}>
      <header className={classes.header}>
        <img src="/favicon.svg" width={24} height={24} alt="" />
        <h1>{t('title')}</h1>
        <span role="status" className={classes.connection} data-connected={connected || undefined}>
          {connected ? t('live.connected') : t('live.reconnecting')}
        </span>
        <LanguageSwitch />
      </header>
      <main className={classes.main}>
        <SharedMap
          label={t('map')}
          source={source}
          scheme={scheme}
          language={languageOf(i18n.language)}
          schematicAttribution={t('schematic')}
          zoomInLabel={t('zoomIn')}
          zoomOutLabel={t('zoomOut')}
          vehicles={placed}
          selected={selected}
          following={following}
          onSelect={select}
          onFollowEnd={endFollowing}
        />
        <section className={classes.panel} aria-label={t('vehicles')}>
          <ul className={classes.list}>
            {vehicles.map((vehicle) => {
              const { number, name, position } = vehicle;
              const state = stateOf(vehicle, now);
              const isSelected = number === selected;
              return (
                <li key={number} className={classes.vehicle} data-selected={isSelected || undefined}>
                  <button
                    type="button"
                    className={classes.choose}
                    aria-pressed={isSelected}
                    onClick={() => select(number)}
                    disabled={!position}
                  >
                    <span className={classes.name}>{name}</span>
                    <span className={classes.state}>
                      <VehicleStateMark state={state} />
                      {t(`state.${state}`)}
                    </span>
                    <span className={classes.age}>
                      {position ? formats.age(position.recorded_at, now) : t('silent')}
                    </span>
                    {position && state !== 'offline' && (
                      <span className={classes.speed} data-testid="speed">
                        {formats.speed(position.speed ?? 0)}
                      </span>
                    )}
                  </button>
                  {isSelected && position && (
                    <button
                      type="button"
                      className={classes.follow}
                      aria-pressed={following}
                      onClick={() => setFollowing(!following)}
                    >
                      {following ? t('following') : t('follow')}
                    </button>
                  )}
                </li>
              );
            })}
          </ul>
          <p className={classes.until}>{t('until', { time: formats.dateTime(expiresAt) })}</p>
        </section>
      </main>
    </div>
  );
}
