import { Popover } from '@mantine/core';
import type { ComponentProps } from 'react';
import type { PopupProps } from '@/lib/lazyPopup';
import { LayersForm } from './LayersForm';
import classes from './MapTools.module.css';

/** What is drawn on the map, beside its tools. */
export function LayersPopup({
  control,
  opened,
  onChange,
  onChoose,
  ...form
}: ComponentProps<typeof LayersForm> & PopupProps) {
  return (
    <Popover opened={opened} onChange={onChange} position="left-start" width={320} trapFocus returnFocus shadow="md">
      <Popover.Target>{control}</Popover.Target>
      <Popover.Dropdown className={classes.layers}>
        <LayersForm
          {...form}
          onChoose={(choice) => {
            onChoose(choice);
            onChange(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
