import { ActionIcon } from '@mantine/core';
import { IconDots, IconId, IconSend, IconShare2 } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { newWith, useStackedDrawers } from '@/lib/drawerParam';
import { lazyPopup } from '@/lib/lazyPopup';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './VehicleCard.module.css';

const VehicleActs = lazyPopup('menu', async () => (await import('./VehicleActs')).VehicleActs);

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
  const control = (
    <ActionIcon ref={trigger} className={classes.more} size={36} aria-label={t('card.more', { name })}>
      <IconDots size={18} aria-hidden="true" />
    </ActionIcon>
  );
  return <VehicleActs acts={acts} onAct={run} control={control} />;
}
