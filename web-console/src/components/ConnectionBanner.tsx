import { Button } from '@mantine/core';
import { IconCloudOff, IconWifiOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { selectNetwork } from '@/api/networkSlice';
import { checkNetwork } from '@/api/watchNetwork';
import classes from './ConnectionBanner.module.css';

/** Says over every screen that the server cannot be reached, and what to do. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const network = useSelector(selectNetwork);
  const Icon = network === 'offline' ? IconWifiOff : IconCloudOff;
  return (
    // There before it has something to say, or screen readers would not say it.
    <div role="status" data-testid="connection-banner" data-network={network}>
      {network !== 'up' && (
        <div className={classes.banner}>
          <Icon size={20} aria-hidden="true" className={classes.icon} />
          <div className={classes.body}>
            <div className={classes.text}>
              <strong>{t(`network.${network}.title`)}</strong> {t(`network.${network}.text`)}
            </div>
            <Button size="compact-sm" variant="default" onClick={checkNetwork}>
              {t('network.check')}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
