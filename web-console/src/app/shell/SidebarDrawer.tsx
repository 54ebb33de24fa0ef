import { Drawer } from '@mantine/core';
import { useOpened } from '@/lib/useOpened';
import { Brand } from './Brand';
import { Sidebar } from './Sidebar';
import classes from './SidebarDrawer.module.css';

interface SidebarDrawerProps {
  opened: boolean;
  /** Whether the keyboard goes back to where it was. */
  returnFocus: boolean;
  onClose: () => void;
  onNavigate: () => void;
}

/** The sidebar where there is no room for it beside the screen. */
export function SidebarDrawer({ opened, returnFocus, onClose, onNavigate }: SidebarDrawerProps) {
  const shown = useOpened(opened);
  return (
    <Drawer
      opened={shown}
      onClose={onClose}
      returnFocus={returnFocus}
      size={260}
      title={<Brand compact={false} />}
      classNames={drawerClasses}
    >
      <Sidebar compact={false} onNavigate={onNavigate} />
    </Drawer>
  );
}

const drawerClasses = { header: classes.header, body: classes.body };
