import { ActionIcon, Button, CloseButton, Skeleton, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChevronDown, IconChevronLeft, IconChevronRight, IconChevronUp, IconSearch } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Device } from '@/api/types';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useNow } from '@/lib/useNow';
import { countStates, liveStore } from '@/live/liveStore';
import { useLiveVersion } from '@/live/useLive';
import { vehicleState, type VehicleState } from '@/live/vehicleState';
import { ConnectionBar } from './ConnectionBar';
import { StateChips } from './StateChips';
import type { Fleet } from './useFleet';
import { VehicleList } from './VehicleList';
import classes from './VehiclePanel.module.css';

interface VehiclePanelProps {
  fleet: Fleet;
  open: boolean;
  onToggle: () => void;
  states: VehicleState[] | null;
  onStates: (states: VehicleState[] | null) => void;
  selected: string | null;
  onSelect: (deviceId: string) => void;
  onReconnect: () => void;
}

/** Floats over the map: search, states with counts, the vehicles, the connection. A sheet at the bottom on phones. */
export function VehiclePanel(props: VehiclePanelProps) {
  const { fleet, open, states } = props;
  const { t } = useTranslation('maps');
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => search.current?.focus()]]);

  const version = useLiveVersion();
  const now = useNow();
  const counts = useMemo(
    () => countStates(liveStore, (fleet.devices ?? []).map(({ id }) => id), now),
    // The positions live outside of React; their version stands for them.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [fleet.devices, version, now],
  );
  const found = useMemo(
    () =>
      matching(fleet.devices ?? [], query).filter(
        ({ id }) => !states || states.includes(vehicleState(liveStore.get(id), now)),
      ),
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [fleet.devices, query, states, version, now],
  );

  return (
    <section aria-label={t('panel.label')} className={classes.panel} data-open={open || undefined}>
      <div className={classes.top}>
        <TextInput
          ref={search}
          type="search"
          flex={1}
          aria-label={t('panel.search')}
          placeholder={t('panel.search')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          rightSection={query && <CloseButton size="sm" onClick={() => setQuery('')} />}
        />
        <PanelToggle open={open} onToggle={props.onToggle} />
      </div>
      <div className={classes.content}>
        <StateChips counts={counts} chosen={states} onChange={props.onStates} />
        <div className={classes.list}>
          {fleet.devices && found.length > 0 ? (
            <VehicleList devices={found} selected={props.selected} onSelect={props.onSelect} />
          ) : (
            <InsteadOfVehicles
              fleet={fleet}
              onShowAll={() => {
                setQuery('');
                props.onStates(null);
              }}
            />
          )}
        </div>
      </div>
      <ConnectionBar onReconnect={props.onReconnect} />
    </section>
  );
}

/** Loading, failed, no devices at all, or none that match. */
function InsteadOfVehicles({ fleet, onShowAll }: { fleet: Fleet; onShowAll: () => void }) {
  const { t } = useTranslation('maps');
  if (fleet.error && !fleet.devices) {
    return <ErrorState title={t('list.failed')} error={fleet.error} onRetry={fleet.reload} />;
  }
  if (!fleet.devices) {
    return (
      <div className={classes.skeletons}>
        {[0, 1, 2, 3, 4].map((row) => (
          <Skeleton key={row} height={36} />
        ))}
      </div>
    );
  }
  if (fleet.devices.length === 0) {
    return (
      <EmptyState
        title={t('list.emptyTitle')}
        text={t('list.emptyText')}
        action={
          <Button component={Link} to="/devices?open=new">
            {t('list.emptyAction')}
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      title={t('list.nothingFound')}
      action={
        <Button variant="default" onClick={onShowAll}>
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

function matching(devices: Device[], query: string): Device[] {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return devices;
  return devices.filter(({ name, imei, sim_number }) =>
    [name, imei, sim_number].some((text) => text.toLowerCase().includes(wanted)),
  );
}
