import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { liveStore } from '@/live/liveStore';
import { vehicleState } from '@/live/vehicleState';

/** Says which vehicle was selected: the canvas itself says nothing to assistive technology. */
export function SelectionAnnouncer({ deviceId, name }: { deviceId: string | null; name: string }) {
  return (
    <div aria-live="polite" className="visually-hidden">
      {deviceId && name && <Announcement key={deviceId} deviceId={deviceId} name={name} />}
    </div>
  );
}

/** Speaks once: what changes afterwards would interrupt the reader every few seconds. */
function Announcement({ deviceId, name }: { deviceId: string; name: string }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const [text] = useState(() => {
    const position = liveStore.get(deviceId);
    const state = t(`state.${vehicleState(position, Date.now())}`);
    if (!position) return t('announce.selectedNoData', { name, state });
    return t('announce.selected', { name, state, speed: formats.number(position.speed) });
  });
  return text;
}
