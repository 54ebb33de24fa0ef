import { ActionIcon } from '@mantine/core';
import {
  IconDeviceTv,
  IconFocusCentered,
  IconMaximize,
  IconMinimize,
  IconMinus,
  IconPlus,
  IconPrinter,
  IconRuler2,
  IconStack2,
  IconTargetArrow,
  type Icon,
} from '@tabler/icons-react';
import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPopup } from '@/lib/lazyPopup';
import type { MapControls } from '@/map/FleetMap';
import type { BaseMapState } from '@/map/useBaseChoice';
import type { MapLayers } from './mapLayers';
import type { MapTool } from './useMapTool';
import classes from './MapTools.module.css';

const LayersPopup = lazyPopup('dialog', async () => (await import('./LayersPopup')).LayersPopup);

interface MapToolsProps {
  controls: RefObject<MapControls | null>;
  base: BaseMapState;
  layers: MapLayers;
  onLayers: (layers: MapLayers) => void;
  tool: MapTool | null;
  onTool: (tool: MapTool) => void;
  fullscreen: boolean;
  onFullscreen: () => void;
  /** Shows the map to a room. */
  onWall: () => void;
  onPrint: () => void;
  /** What stands below the layers. */
  children: ReactNode;
}

/** Small buttons at the right of the map. */
export function MapTools(props: MapToolsProps) {
  const { controls, tool, fullscreen } = props;
  const { t } = useTranslation('maps');
  const button = (label: string, ToolIcon: Icon, act?: () => void, pressed?: boolean) => (
    <ActionIcon
      aria-label={label}
      aria-pressed={pressed}
      title={label}
      onClick={act}
      className={classes.tool}
      data-pressed={pressed || undefined}
      size={36}
    >
      <ToolIcon size={18} aria-hidden="true" />
    </ActionIcon>
  );
  return (
    <div role="toolbar" aria-label={t('tools.label')} aria-orientation="vertical" className={classes.tools}>
      <div className={classes.group}>
        {button(t('tools.zoomIn'), IconPlus, () => controls.current?.zoomIn())}
        {button(t('tools.zoomOut'), IconMinus, () => controls.current?.zoomOut())}
      </div>
      <div className={classes.group}>
        {button(t('tools.fitAll'), IconFocusCentered, () => controls.current?.fitAll())}
        {button(t('tools.fullscreen'), fullscreen ? IconMinimize : IconMaximize, props.onFullscreen, fullscreen)}
        {fullscreen && button(t('wall.enter'), IconDeviceTv, props.onWall)}
      </div>
      <div className={classes.group}>
        {button(t('tools.ruler'), IconRuler2, () => props.onTool('ruler'), tool === 'ruler')}
        {button(t('tools.nearest'), IconTargetArrow, () => props.onTool('nearest'), tool === 'nearest')}
      </div>
      <div className={classes.group}>
        <LayersPopup
          layers={props.layers}
          onLayers={props.onLayers}
          offered={props.base.offered}
          choice={props.base.choice}
          onChoose={props.base.onChoose}
          control={button(t('tools.layers'), IconStack2)}
        />
        {props.children}
        {button(t('tools.print'), IconPrinter, props.onPrint)}
      </div>
    </div>
  );
}
