import { useTranslation } from 'react-i18next';
import classes from './Live.module.css';

/** Whether the map stays with the vehicle, and what changes that. */
export interface Following {
  following: boolean;
  onFollow: (following: boolean) => void;
}

/** Has the map stay with the chosen vehicle, or leave it. */
export function FollowButton({ following, onFollow }: Following) {
  const { t } = useTranslation('share');
  return (
    <button type="button" className={classes.follow} aria-pressed={following} onClick={() => onFollow(!following)}>
      {following ? t('following') : t('follow')}
    </button>
  );
}
