import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useReverseGeocode } from '@/api/useReverseGeocode';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useFormats } from '@/i18n/useFormats';
import { writePlace } from '@/lib/coordinates';
import { useNow } from '@/lib/useNow';
import { freshness } from '@/live/freshness';
import type { LivePosition } from '@/live/position';
import { useLiveCounts, useLiveDevice } from '@/live/useLive';
import { VEHICLE_STATES } from '@/live/vehicleState';
import { selectPerson } from '@/session/sessionSlice';
import classes from './PrintSheet.module.css';
import { groupPaths, useDeviceGroups } from './useDeviceGroups';
import { useMapAddress } from './useMapAddress';

/** What stands above the map on paper: whose it is, of when, and to what it is narrowed. */
export function PrintHead() {
  const { t } = useTranslation(['maps', 'common']);
  const formats = useFormats();
  const person = useSelector(selectPerson);
  const { q, states, groups } = useMapAddress();
  const known = useDeviceGroups();
  const now = useNow();
  const paths = groupPaths(known.groups ?? []);
  const filters = [
    q && t('maps:print.search', { text: q }),
    states && t('maps:print.states', { names: states.map((state) => t(`maps:state.${state}`)).join(', ') }),
    groups && t('maps:groups.shown', { names: groups.map((id) => paths.get(id) ?? '…').join(', ') }),
  ].filter(Boolean);
  return (
    <div className={classes.head} data-paper="head">
      <p className={classes.title}>{person?.tenantName ?? t('common:nav.title')}</p>
      <p className={classes.about}>
        {[t('maps:title'), t('maps:print.at', { time: formats.dateTime(now) }), ...filters].join(' · ')}
      </p>
    </div>
  );
}

/** What stands below it: what the marks mean, and what is known of the chosen vehicles. */
export function PrintBody({ chosen }: { chosen: readonly string[] }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const counts = useLiveCounts();
  return (
    <div className={classes.body} data-paper="body">
      <ul className={classes.legend} aria-label={t('print.legend')}>
        {VEHICLE_STATES.map((state) => (
          <li key={state}>
            <VehicleStateMark state={state} /> {t(`state.${state}`)} {formats.number(counts[state])}
          </li>
        ))}
      </ul>
      {chosen.length > 0 && (
        <table className={classes.table} aria-label={t('print.table')}>
          <thead>
            <tr>
              <th scope="col">{t('sort.name')}</th>
              <th scope="col">{t('fact.state')}</th>
              <th scope="col">{t('fact.speed')}</th>
              <th scope="col">{t('fact.address')}</th>
              <th scope="col">{t('fact.time')}</th>
            </tr>
          </thead>
          <tbody>
            {chosen.map((id) => (
              <Row key={id} deviceId={id} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function Row({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const device = useLiveDevice(deviceId);
  const now = useNow();
  // Printed once it is known.
  if (device === undefined) return <tr aria-busy="true" />;
  if (device === null) return null;
  const { position } = device;
  const isFresh = position !== null && freshness(position, now) === 'fresh';
  return (
    <tr>
      <th scope="row">{device.name}</th>
      <td>{t(`state.${device.state}`)}</td>
      <td>{isFresh && formats.speed(position.speed)}</td>
      <td>{position && <Place position={position} />}</td>
      <td>{position && formats.dateTime(position.recordedAt)}</td>
    </tr>
  );
}

/** The address, and the coordinates: on paper nothing can be asked. */
function Place({ position: { lat, lng } }: { position: LivePosition }) {
  const address = useReverseGeocode([lat, lng]);
  return (
    <span aria-busy={address === undefined || undefined}>
      {address} <span className={classes.coordinates}>{writePlace([lat, lng])}</span>
    </span>
  );
}
