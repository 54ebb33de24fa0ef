import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconId, IconSend, IconShare2 } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { newWith, useStackedDrawers } from '@/lib/drawerParam';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './VehicleCard.module.css';

/** What else can be done with the selected vehicle, each in a drawer over the map. */
export function VehicleMenu({ deviceId, name }: { deviceId: string; name: string }) {
  const { t } = useTranslation('maps');
  const person = useSelector(selectPerson);
  const { open } = useStackedDrawers();
  const trigger = useRef<HTMLButtonElement>(null);
  const acts = [
    {
      may: mayDo('devices', 'list', person),
      label: t('card.device'),
      Icon: IconId,
      act: () => open('devices', deviceId),
    },
    {
      may: mayDo('commands', 'create', person),
      label: t('card.command'),
      Icon: IconSend,
      act: () => open('commands', newWith({ device_id: deviceId })),
    },
    {
      may: mayDo('share-links', 'create', person),
      label: t('card.share'),
      Icon: IconShare2,
      act: () => open('share-links', newWith({ subject: 'vehicle', device_id: deviceId })),
    },
  ].filter(({ may }) => may);
  if (acts.length === 0) return null;
  const run = (act: () => void) => {
    // An item is gone when its drawer closes: the keyboard comes back to the button.
    trigger.current?.focus();
    act();
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon ref={trigger} className={classes.more} size={36} aria-label={t('card.more', { name })}>
          <IconDots size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map(({ label, Icon, act }) => (
          <Menu.Item key={label} leftSection={<Icon size={16} aria-hidden="true" />} onClick={() => run(act)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
