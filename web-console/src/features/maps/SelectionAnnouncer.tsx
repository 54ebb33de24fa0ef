import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { freshness } from '@/live/freshness';
import type { LiveDevice } from '@/live/liveDevice';
import { useLiveDevice } from '@/live/useLive';

/** Says which vehicle was selected: the canvas itself says nothing to assistive technology. */
export function SelectionAnnouncer({ deviceId }: { deviceId: string | null }) {
  const device = useLiveDevice(deviceId);
  return (
    <div aria-live="polite" className="visually-hidden">
      {device && <Announcement key={device.id} device={device} />}
    </div>
  );
}

/** Speaks once: what changes afterwards would interrupt the reader every few seconds. */
function Announcement({ device }: { device: LiveDevice }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const [text] = useState(() => {
    const { name, position } = device;
    const state = t(`state.${device.state}`);
    if (!position || freshness(position, Date.now()) !== 'fresh') return t('announce.selectedNoData', { name, state });
    return t('announce.selected', { name, state, speed: formats.speed(Math.round(position.speed)) });
  });
  return text;
}
