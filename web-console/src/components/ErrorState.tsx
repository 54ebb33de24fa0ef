import { Button, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '@/i18n/errorText';
import classes from './State.module.css';

/** Something could not be loaded: what, the server's own words, and another try. */
export function ErrorState({ title, error, onRetry }: { title: string; error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.state} role="alert">
      <Title order={2}>{title}</Title>
      <Text c="dimmed" maw={440}>
        {errorText(error, t)}
      </Text>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          {t('action.retry')}
        </Button>
      )}
    </div>
  );
}
