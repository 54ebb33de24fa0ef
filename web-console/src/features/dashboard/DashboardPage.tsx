import { IconLayoutDashboard } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { usePollAbilities } from '@/api/usePollAbilities';
import { EmptyState } from '@/components/EmptyState';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { Part } from '@/components/Part';
import { lazyPart } from '@/lib/lazyPart';
import { useTitle } from '@/lib/useTitle';
import { AlarmsTile } from './AlarmsTile';
import { DocumentsTile, MaintenanceTile } from './CareTiles';
import classes from './Dashboard.module.css';
import { KindsTile } from './KindsTile';
import { MapTile } from './MapTile';
import { RecentTile } from './RecentTile';
import { SilentTile } from './SilentTile';
import type { TileKey } from './tiles';
import { TodayTile } from './TodayTile';
import { useArrangement } from './useArrangement';
import { VehiclesTile } from './VehiclesTile';

/** Few arrange anything, and nobody at once. */
const ArrangeMenu = lazyPart(async () => (await import('./ArrangeMenu')).ArrangeMenu);

const TILES: Record<TileKey, ComponentType> = {
  vehicles: VehiclesTile,
  map: MapTile,
  alarms: AlarmsTile,
  today: TodayTile,
  recent: RecentTile,
  kinds: KindsTile,
  documents: DocumentsTile,
  maintenance: MaintenanceTile,
  silent: SilentTile,
};

/** The first screen after signing in: how the fleet is now, what happened today, and what is to be done. */
export function DashboardPage() {
  const { t } = useTranslation('dashboard');
  useTitle(t('title'));
  const state = useArrangement();
  const nothing = state.seen.length === 0;
  usePollAbilities(nothing);
  return (
    <Page>
      <PageHeader
        title={t('title')}
        action={!nothing && <div className={classes.arrange}>{state.isKnown && <ArrangeMenu state={state} />}</div>}
      />
      {state.shown.length === 0 && (nothing || state.isKnown) && (
        <EmptyState
          icon={IconLayoutDashboard}
          title={nothing ? t('forbidden.title') : t('empty.title')}
          text={nothing ? t('forbidden.text') : t('empty.text')}
        />
      )}
      <div className={classes.tiles} aria-busy={!state.isKnown}>
        {state.shown.map((tile) => {
          const Shown = TILES[tile];
          return (
            <Part key={tile} height={160}>
              <Shown />
            </Part>
          );
        })}
      </div>
    </Page>
  );
}
