import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';
import classes from './Toasts.module.css';

/** Where toasts appear: what does not fit waits. */
export function Toasts() {
  return <Notifications position="top-center" classNames={{ root: classes.toasts }} limit={3} />;
}
