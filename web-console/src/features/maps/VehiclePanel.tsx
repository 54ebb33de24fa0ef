import { ActionIcon, Button, Skeleton } from '@mantine/core';
import { IconChevronDown, IconChevronLeft, IconChevronRight, IconChevronUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { usePollAbilities } from '@/api/usePollAbilities';
import { EmptyState } from '@/components/EmptyState';
import { SearchInput } from '@/components/SearchInput';
import { selectConnection } from '@/live/connectionSlice';
import type { LiveList } from '@/live/live';
import { live } from '@/live/live';
import { useCanWatchLive } from '@/live/useLiveSession';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { ConnectionBar } from './ConnectionBar';
import { GroupButton, GroupLine } from './GroupFilter';
import { SortMenu } from './SortMenu';
import { StateChips } from './StateChips';
import type { Choose } from './useChoice';
import { useDeviceGroups, useWorkerGroups } from './useDeviceGroups';
import { useVehicleList } from './useVehicleList';
import { VehicleList } from './VehicleList';
import classes from './VehiclePanel.module.css';

interface VehiclePanelProps {
  open: boolean;
  onToggle: () => void;
  chosen: readonly string[];
  /** The vehicle that the map stays with; null when it is none, or several. */
  followed: string | null;
  onChoose: Choose;
  onFollow: (deviceId: string) => void;
  /** What is known of the vehicle that is opened; it stands in front of the list, which keeps its place behind it. */
  card: ReactNode;
  /** Somebody wants the list again. */
  onList: () => void;
}

/** Stands at the side of the map: search, groups, states with counts, the vehicles or one of them, the connection. A sheet at the bottom on phones. */
export function VehiclePanel(props: VehiclePanelProps) {
  const { open, card } = props;
  const { t } = useTranslation(['maps', 'common']);
  const vehicles = useVehicleList();
  const { list, search, setSearch, states, setStates, groups, setGroups, grouped } = vehicles;
  const mayWatch = useCanWatchLive();
  const known = useDeviceGroups();
  useWorkerGroups(known.groups);
  // Without them nobody knows what to show.
  const groupsFailed = known.failed && (groups !== null || grouped);

  return (
    <section
      aria-label={t('panel.label')}
      className={classes.panel}
      data-open={open || undefined}
      data-card={Boolean(card) || undefined}
    >
      <div className={classes.top}>
        <SearchInput
          label={t('panel.search')}
          disabled={!mayWatch}
          value={search}
          onChange={setSearch}
          // Whoever searches wants to see what is found.
          onFocus={() => {
            if (!open) props.onToggle();
            if (card) props.onList();
          }}
        />
        {mayWatch && known.allowed && (
          <GroupButton
            known={known}
            chosen={groups}
            onChoose={setGroups}
            grouped={grouped}
            onGrouped={vehicles.setGrouped}
          />
        )}
        {mayWatch && <SortMenu sort={vehicles.sort} onSort={vehicles.setSort} />}
        <PanelToggle open={open} onToggle={props.onToggle} />
      </div>
      <div className={classes.content}>
        <div className={classes.vehicles} inert={Boolean(card)}>
          {mayWatch && <StateChips chosen={states} onChange={setStates} />}
          {groups && <GroupLine groups={known.groups} chosen={groups} onClear={() => setGroups(null)} />}
          <div className={classes.list}>
            {groupsFailed ? (
              <EmptyState
                title={t('groups.failed')}
                action={
                  <Button variant="default" onClick={known.retry}>
                    {t('common:action.retry')}
                  </Button>
                }
              />
            ) : open && list.total > 0 ? (
              <VehicleList
                list={list}
                onRange={vehicles.setRange}
                chosen={props.chosen}
                followed={props.followed}
                onChoose={props.onChoose}
                onFollow={props.onFollow}
                onTurn={vehicles.turn}
              />
            ) : (
              <InsteadOfVehicles
                list={list}
                narrowed={search !== '' || states !== null || groups !== null}
                onRetry={() => live.reconnect()}
                onShowAll={vehicles.showAll}
              />
            )}
          </div>
        </div>
        {card && <div className={classes.card}>{card}</div>}
      </div>
      <ConnectionBar />
    </section>
  );
}

/** Loading, not to be had, no devices at all, or none that match. */
function InsteadOfVehicles(props: { list: LiveList; narrowed: boolean; onRetry: () => void; onShowAll: () => void }) {
  const { t } = useTranslation('maps');
  const { state } = useSelector(selectConnection);
  const person = useSelector(selectPerson);
  const mayOpenDevices = can('device:list', person);
  const mayAdd = can('device:create', person);
  const mayWatch = useCanWatchLive();
  usePollAbilities(!mayWatch);
  if (!mayWatch) {
    return (
      <EmptyState
        title={t('list.forbidden')}
        text={t('list.forbiddenText')}
        action={
          mayOpenDevices && (
            <Button component={Link} to="/devices" variant="default">
              {t('list.forbiddenAction')}
            </Button>
          )
        }
      />
    );
  }
  if (!props.list.complete && (state === 'error' || state === 'reconnecting' || state === 'disconnected')) {
    return (
      <EmptyState
        title={t('list.failed')}
        text={t('list.failedText')}
        action={
          <Button variant="default" onClick={props.onRetry}>
            {t('connection.reconnect')}
          </Button>
        }
      />
    );
  }
  if (!props.list.complete) {
    return (
      <div className={classes.skeletons}>
        {[0, 1, 2, 3, 4].map((row) => (
          <Skeleton key={row} height={36} />
        ))}
      </div>
    );
  }
  if (props.list.fleetSize === 0) {
    return (
      <EmptyState
        title={t('list.emptyTitle')}
        text={mayAdd ? t('list.emptyText') : t('list.emptyAsk')}
        action={
          mayAdd && (
            <Button component={Link} to="/devices?open=new">
              {t('list.emptyAction')}
            </Button>
          )
        }
      />
    );
  }
  if (!props.narrowed) {
    return <EmptyState title={t('list.allInactive')} text={t('list.allInactiveText')} />;
  }
  return (
    <EmptyState
      title={t('list.nothingFound')}
      action={
        <Button variant="default" onClick={props.onShowAll}>
          {t('list.showAll')}
        </Button>
      }
    />
  );
}

function PanelToggle({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const { t } = useTranslation('maps');
  return (
    <ActionIcon
      aria-label={open ? t('panel.collapse') : t('panel.expand')}
      aria-expanded={open}
      onClick={onToggle}
      size={36}
    >
      <span className={classes.sideways} aria-hidden="true">
        {open ? <IconChevronLeft size={18} /> : <IconChevronRight size={18} />}
      </span>
      <span className={classes.upright} aria-hidden="true">
        {open ? <IconChevronDown size={18} /> : <IconChevronUp size={18} />}
      </span>
    </ActionIcon>
  );
}
