import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languageOf } from '@/i18n/languages';
import { useNow } from '@/lib/useNow';
import { SharedMap } from '@/map/SharedMap';
import { choiceInForce, loadBaseChoice, sourceOf, type MapSource } from '@/map/tileSource';
import { LanguageSwitch } from './LanguageSwitch';
import classes from './Live.module.css';
import { sharedState } from './sharedState';
import { useScheme } from './useScheme';
import { VehicleCard } from './VehicleCard';
import { VehicleList } from './VehicleList';
import type { SharedVehicle } from './visit';

interface LiveViewProps {
  connected: boolean;
  vehicles: SharedVehicle[];
  expiresAt: string;
  /** The street maps of the server. */
  mapSources: MapSource[];
}

/** The vehicles of a link on the map, and how fast and how old that is. */
export function LiveView({ connected, vehicles, expiresAt, mapSources }: LiveViewProps) {
  const { t, i18n } = useTranslation('share');
  const scheme = useScheme();
  const now = useNow();
  const [kept] = useState(loadBaseChoice);
  const source = useMemo(() => sourceOf(choiceInForce(kept, mapSources), mapSources), [kept, mapSources]);
  const only = vehicles.length === 1 ? vehicles[0] : undefined;
  const [chosen, setChosen] = useState<number | null>(null);
  const [following, setFollowing] = useState(only !== undefined);
  const selected = chosen ?? only?.number ?? null;
  const placed = useMemo(
    () =>
      vehicles.flatMap((vehicle) => {
        const { number, name, position } = vehicle;
        if (!position) return [];
        const { lat, lng, course = 0 } = position;
        return [{ number, name, lat, lng, course, state: sharedState(vehicle, now) }];
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
      <main className={classes.main} data-one={only !== undefined || undefined}>
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
        {only ? (
          <VehicleCard vehicle={only} expiresAt={expiresAt} following={following} onFollow={setFollowing} />
        ) : (
          <VehicleList
            vehicles={vehicles}
            selected={selected}
            onSelect={select}
            expiresAt={expiresAt}
            following={following}
            onFollow={setFollowing}
          />
        )}
      </main>
    </div>
  );
}
