import { ActionIcon, Popover } from '@mantine/core';
import { IconFocusCentered, IconMinus, IconPlus, IconStack2, type Icon } from '@tabler/icons-react';
import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { MapControls } from '@/map/FleetMap';
import type { TileSource } from '@/map/tileSource';
import { LayersForm } from './LayersForm';
import classes from './MapTools.module.css';

interface MapToolsProps {
  controls: RefObject<MapControls | null>;
  tiles: TileSource | null;
  onTiles: (source: TileSource | null) => void;
}

/** Small buttons at the right of the map. */
export function MapTools({ controls, tiles, onTiles }: MapToolsProps) {
  const { t } = useTranslation('maps');
  const [layers, setLayers] = useState(false);
  const tool = (label: string, ToolIcon: Icon, act: () => void) => (
    <ActionIcon aria-label={label} title={label} onClick={act} className={classes.tool} size={36}>
      <ToolIcon size={18} aria-hidden="true" />
    </ActionIcon>
  );
  return (
    <div role="toolbar" aria-label={t('tools.label')} aria-orientation="vertical" className={classes.tools}>
      <div className={classes.group}>
        {tool(t('tools.zoomIn'), IconPlus, () => controls.current?.zoomIn())}
        {tool(t('tools.zoomOut'), IconMinus, () => controls.current?.zoomOut())}
      </div>
      <div className={classes.group}>
        {tool(t('tools.fitAll'), IconFocusCentered, () => controls.current?.fitAll())}
      </div>
      <div className={classes.group}>
        <Popover opened={layers} onChange={setLayers} position="left-start" width={320} trapFocus shadow="md">
          <Popover.Target>{tool(t('tools.layers'), IconStack2, () => setLayers(!layers))}</Popover.Target>
          <Popover.Dropdown>
            <LayersForm
              tiles={tiles}
              onTiles={(source) => {
                onTiles(source);
                setLayers(false);
              }}
            />
          </Popover.Dropdown>
        </Popover>
      </div>
    </div>
  );
}
