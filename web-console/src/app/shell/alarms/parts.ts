// What the shell says of alarms, in one file to load: a moment after the screen, which does not wait for it.
export { AlarmBell } from './AlarmBell';
export { soundAlarm } from './alarmSound';
export { AlarmWatch } from './AlarmWatch';
export { UrgentAlarm } from './UrgentAlarm';
