import { Button, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconLock, IconMapPinOff, IconWifiOff, type Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '@/api/errors';
import { errorText } from '@/i18n/errorText';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import classes from './State.module.css';

interface ErrorStateProps {
  /** What could not be loaded. */
  title: string;
  error: unknown;
  onRetry?: () => void;
}

type Kind = 'offline' | 'noAccess' | 'notFound' | 'failed';

const ICONS: Record<Kind, Icon> = {
  offline: IconWifiOff,
  noAccess: IconLock,
  notFound: IconMapPinOff,
  failed: IconAlertTriangle,
};

/** Something could not be loaded: what, why in the server's own words, and another try where one could help. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  const { t } = useTranslation();
  const kind = kindOf(error);
  const Shape = ICONS[kind];
  const retry = kind === 'offline' || kind === 'failed' ? onRetry : undefined;
  useRetryWhenBack(error, onRetry ?? none);
  return (
    <div className={classes.state} role="alert" data-kind={kind}>
      <Shape size={28} stroke={1.5} aria-hidden="true" className={classes.icon} />
      <Title order={2}>{title}</Title>
      <Text c="dimmed" maw={440}>
        {errorText(error, t)}
      </Text>
      {kind === 'failed' && isApiError(error) && error.requestId && (
        <Text size="xs" c="dimmed">
          {t('error.requestId')} <span className={classes.id}>{error.requestId}</span>
        </Text>
      )}
      {retry && (
        <Button variant="default" onClick={retry}>
          {t('action.retry')}
        </Button>
      )}
    </div>
  );
}

function kindOf(error: unknown): Kind {
  if (!isApiError(error)) return 'failed';
  if (error.status === 0) return 'offline';
  if (error.status === 403) return 'noAccess';
  return error.status === 404 ? 'notFound' : 'failed';
}

const none = () => undefined;
