import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { liveStore } from '@/live/liveStore';
import { vehicleState } from '@/live/vehicleState';

/** Says which vehicle was selected: the canvas itself says nothing to assistive technology. */
export function SelectionAnnouncer({ deviceId, name }: { deviceId: string | null; name: string }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const [text, setText] = useState('');

  useEffect(() => {
    if (!deviceId) return setText('');
    const position = liveStore.get(deviceId);
    const state = t(`state.${vehicleState(position, Date.now())}`);
    setText(
      position
        ? t('announce.selected', { name, state, speed: formats.number(position.speed) })
        : t('announce.selectedNoData', { name, state }),
    );
  }, [deviceId, name, t, formats]);

  return (
    <div aria-live="polite" className="visually-hidden">
      {text}
    </div>
  );
}
