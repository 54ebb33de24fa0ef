import {
  IconActivityHeartbeat,
  IconAntennaBarsOff,
  IconArrowCurveRight,
  IconBattery1,
  IconBellRinging,
  IconCarCrane,
  IconCarCrash,
  IconChevronsUp,
  IconDoor,
  IconDropletDown,
  IconEngine,
  IconFileAlert,
  IconFileX,
  IconGasStation,
  IconGauge,
  IconHandStop,
  IconInfoCircle,
  IconKey,
  IconKeyOff,
  IconParking,
  IconPlugConnectedX,
  IconShieldX,
  IconSos,
  IconTemperature,
  IconTool,
  IconWifi,
  IconWifiOff,
  type Icon,
} from '@tabler/icons-react';
import { eventTone } from './eventKinds';
import classes from './EventMark.module.css';

const ICONS: Record<string, Icon> = {
  'alarm.sos': IconSos,
  'alarm.accident': IconCarCrash,
  'alarm.tampering': IconShieldX,
  'alarm.jamming': IconAntennaBarsOff,
  'alarm.fuel_drain': IconDropletDown,
  'alarm.temperature': IconTemperature,
  'alarm.door': IconDoor,
  'alarm.vibration': IconActivityHeartbeat,
  'vehicle.towing': IconCarCrane,
  'vehicle.overspeed': IconGauge,
  'vehicle.harsh_acceleration': IconChevronsUp,
  'vehicle.harsh_braking': IconHandStop,
  'vehicle.harsh_cornering': IconArrowCurveRight,
  'vehicle.parked_too_long': IconParking,
  'vehicle.idling': IconEngine,
  'vehicle.ignition_on': IconKey,
  'vehicle.ignition_off': IconKeyOff,
  'fuel.drain': IconDropletDown,
  'fuel.fill': IconGasStation,
  'device.power_cut': IconPlugConnectedX,
  'device.low_battery': IconBattery1,
  'device.offline': IconWifiOff,
  'device.online': IconWifi,
  'maintenance.overdue': IconTool,
  'maintenance.due': IconTool,
  'maintenance.due_soon': IconTool,
  'document.expired': IconFileX,
  'document.expiring': IconFileAlert,
};

/** What kind of event it is, as a shape in the colour of what it asks. The word for it stands beside. */
export function EventMark({ kind }: { kind: string }) {
  const Shape = ICONS[kind] ?? (kind.startsWith('alarm.') ? IconBellRinging : IconInfoCircle);
  return <Shape size={16} stroke={2} aria-hidden="true" className={classes.mark} data-tone={eventTone(kind)} />;
}
