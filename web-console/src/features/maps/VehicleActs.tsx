import { Menu } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { PopupProps } from '@/lib/lazyPopup';

/** Something that can be done with a vehicle. */
interface VehicleAct {
  label: string;
  Icon: Icon;
  act: () => void;
}

interface VehicleActsProps {
  acts: VehicleAct[];
  onAct: (act: () => void) => void;
}

/** What can be done with a vehicle, as a menu. */
export function VehicleActs({ acts, onAct, control, ...popup }: VehicleActsProps & PopupProps) {
  return (
    <Menu {...popup} position="bottom-end">
      <Menu.Target>{control}</Menu.Target>
      <Menu.Dropdown>
        {acts.map(({ label, Icon, act }) => (
          <Menu.Item key={label} leftSection={<Icon size={16} aria-hidden="true" />} onClick={() => onAct(act)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
