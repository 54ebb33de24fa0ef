import { ActionIcon, Button, Checkbox, Group, Popover, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconLayoutDashboard } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import classes from './Dashboard.module.css';
import { withTileMoved, withShown, type TileKey } from './tiles';
import type { useArrangement } from './useArrangement';

/** Which tiles are shown and in which order, as each person wants it; all of it by keyboard too. */
export function ArrangeMenu({ state }: { state: ReturnType<typeof useArrangement> }) {
  const { t } = useTranslation('dashboard');
  return (
    <Popover position="bottom-end" width={320} shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          title={t('arrange.open')}
          data-phone-icon
          leftSection={<IconLayoutDashboard size={16} aria-hidden="true" />}
        >
          {t('arrange.open')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('arrange.open')}>
        <Tiles state={state} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Tiles({ state: { arrangement, seen, arrange, reset } }: { state: ReturnType<typeof useArrangement> }) {
  const { t } = useTranslation('dashboard');
  const formats = useFormats();
  const [announcement, setAnnouncement] = useState('');
  const move = (tile: TileKey, by: -1 | 1) => {
    const place = seen.indexOf(tile) + by;
    if (place < 0 || place >= seen.length) return;
    arrange(withTileMoved(arrangement, tile, by, seen));
    const [at, count] = [formats.number(place + 1), formats.number(seen.length)];
    setAnnouncement(t('arrange.moved', { name: t(`tile.${tile}`), place: at, total: count }));
  };
  return (
    <Stack gap="sm">
      <ul className={classes.choices} aria-label={t('arrange.tiles')}>
        {seen.map((tile, place) => (
          <li key={tile} className={classes.choice}>
            <Checkbox
              label={t(`tile.${tile}`)}
              checked={!arrangement.hidden.includes(tile)}
              onChange={(event) => arrange(withShown(arrangement, tile, event.currentTarget.checked))}
            />
            <Group gap="3xs" wrap="nowrap">
              <MoveButton tile={tile} by={-1} blocked={place === 0} onMove={move} />
              <MoveButton tile={tile} by={1} blocked={place === seen.length - 1} onMove={move} />
            </Group>
          </li>
        ))}
      </ul>
      <Button variant="default" size="compact-sm" onClick={reset}>
        {t('arrange.reset')}
      </Button>
      <div role="status" className="visually-hidden">
        {announcement}
      </div>
    </Stack>
  );
}

interface MoveButtonProps {
  tile: TileKey;
  by: -1 | 1;
  /** There is nothing beyond. The button keeps the keyboard all the same: whoever moved a tile there is at it. */
  blocked: boolean;
  onMove: (tile: TileKey, by: -1 | 1) => void;
}

function MoveButton({ tile, by, blocked, onMove }: MoveButtonProps) {
  const { t } = useTranslation('dashboard');
  const Shape = by < 0 ? IconArrowUp : IconArrowDown;
  const name = t(`tile.${tile}`);
  return (
    <ActionIcon
      size="sm"
      aria-label={by < 0 ? t('arrange.up', { name }) : t('arrange.down', { name })}
      aria-disabled={blocked}
      data-disabled={blocked || undefined}
      onClick={() => onMove(tile, by)}
    >
      <Shape size={14} aria-hidden="true" />
    </ActionIcon>
  );
}
