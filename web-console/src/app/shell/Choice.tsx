import { Menu } from '@mantine/core';
import classes from './Header.module.css';
import type { Action } from './useActions';

/** Menu items of which one holds. Their common name is the name of their group: a menu may hold no loose text. */
export function Choice({ label, actions }: { label: string; actions: Action[] }) {
  return (
    <div role="group" aria-label={label}>
      <div className={classes.choice} aria-hidden="true">
        {label}
      </div>
      <Menu.RadioGroup value={actions.find(({ current }) => current)?.id ?? null}>
        {actions.map(({ id, label: name, run }) => (
          <Menu.RadioItem key={id} value={id} onChange={run}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </div>
  );
}
