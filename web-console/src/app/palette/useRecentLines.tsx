import { useEffect, useMemo, useReducer } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useNavigate } from 'react-router';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { live } from '@/live/live';
import { selectPerson } from '@/session/sessionSlice';
import { recentVehicles } from './recentVehicles';

/** The vehicles that somebody has looked at last, with what they do now; of those that are still told of. */
export function useRecentLines(wanted: boolean) {
  const { t } = useTranslation('maps');
  const navigate = useNavigate();
  const personId = useSelector(selectPerson)?.id ?? '';
  const ids = useMemo(() => (wanted ? recentVehicles(personId) : []), [wanted, personId]);
  const [, look] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const ends = ids.map((id) => live.watch(id, look));
    return () => ends.forEach((end) => end());
  }, [ids]);
  return ids.flatMap((id) => {
    const vehicle = live.device(id);
    if (!vehicle) return [];
    const { name, vehicleCode, state } = vehicle;
    const plate = vehicleCode === name ? '' : vehicleCode;
    return {
      id: `recent.${id}`,
      label: name,
      description: [plate, t(`state.${state}`)].filter((text) => text !== '').join(' · '),
      mark: <VehicleStateMark state={state} />,
      run: () => void navigate(`/devices?open=${id}`),
      runOther: () => void navigate(`/maps?device_id=${id}`),
    };
  });
}
