import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconCurrentLocation,
  IconCurrentLocationFilled,
  IconDots,
  IconPlayerPlay,
  IconRoute,
  IconSend,
  IconX,
} from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { useFormats } from '@/i18n/useFormats';
import { PLAYED_MAX, playbackPath } from '@/lib/address';
import { lazyPart } from '@/lib/lazyPart';
import { useLiveNames } from '@/live/useLive';
import { mayDo } from '@/resource/registry';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './ChosenBar.module.css';
import { CHOSEN_MAX } from './choosing';
import { TrackNote } from './TrackNote';
import type { TracksOfToday } from './useTracksOfToday';

const SendToMany = lazyPart(async () => (await import('@/components/commands/SendToMany')).SendToMany);

interface ChosenBarProps {
  /** Two or more. */
  chosen: string[];
  following: boolean;
  onFollow: () => void;
  tracks: TracksOfToday;
  onClear: () => void;
}

/** How many vehicles are chosen, and what can be done with all of them. */
export function ChosenBar({ chosen, following, onFollow, tracks, onClear }: ChosenBarProps) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const person = useSelector(selectPerson);
  const tooMany = chosen.length > PLAYED_MAX;
  const most = t('chosen.most', { formatted: formats.number(PLAYED_MAX) });
  const FollowIcon = following ? IconCurrentLocationFilled : IconCurrentLocation;
  return (
    <div role="toolbar" aria-label={t('chosen.bar')} className={classes.bar} data-testid="chosen-bar" data-phone-icons>
      <span role="status" className={classes.count}>
        {t('chosen.count', { count: chosen.length, formatted: formats.number(chosen.length) })}
        {chosen.length === CHOSEN_MAX && (
          <span className={classes.most}>{t('chosen.most', { formatted: formats.number(CHOSEN_MAX) })}</span>
        )}
      </span>
      <Button
        size="xs"
        variant={following ? 'filled' : 'light'}
        aria-pressed={following}
        leftSection={<FollowIcon size={16} aria-hidden="true" />}
        onClick={onFollow}
      >
        {t('chosen.follow')}
      </Button>
      {can('position:history', person) && (
        <>
          <Button
            size="xs"
            variant={tracks.shown ? 'filled' : 'light'}
            aria-pressed={tracks.shown}
            loading={tracks.loading}
            disabled={tooMany}
            title={tooMany ? most : undefined}
            leftSection={<IconRoute size={16} aria-hidden="true" />}
            onClick={tracks.toggle}
          >
            {t('track.show')}
          </Button>
          <Button
            component={Link}
            to={playbackPath(chosen.slice(0, PLAYED_MAX))}
            size="xs"
            variant="subtle"
            leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
            title={tooMany ? most : undefined}
          >
            {t('chosen.history')}
          </Button>
        </>
      )}
      {mayDo('commands', 'create', person) && <MoreActs chosen={chosen} />}
      <ActionIcon size={30} aria-label={t('chosen.clear')} title={t('chosen.clear')} onClick={onClear}>
        <IconX size={16} aria-hidden="true" />
      </ActionIcon>
      <TrackNote track={tracks} />
    </div>
  );
}

/** What is done less often. */
function MoreActs({ chosen }: { chosen: string[] }) {
  const { t } = useTranslation('maps');
  const trigger = useRef<HTMLButtonElement>(null);
  const [sending, setSending] = useState<boolean | null>(null);
  const end = () => {
    setSending(false);
    // The item that opened it is gone.
    trigger.current?.focus();
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon ref={trigger} variant="default" size={30} aria-label={t('chosen.more')} title={t('chosen.more')}>
            <IconDots size={16} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconSend size={16} aria-hidden="true" />} onClick={() => setSending(true)}>
            {t('card.command')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {sending !== null && <SendToChosen opened={sending} chosen={chosen} onEnd={end} />}
    </>
  );
}

function SendToChosen({ opened, chosen, onEnd }: { opened: boolean; chosen: string[]; onEnd: () => void }) {
  return (
    <SendToMany
      opened={opened}
      count={chosen.length}
      ids={(most) => Promise.resolve({ data: chosen.slice(0, most) })}
      names={useLiveNames(chosen)}
      onDone={onEnd}
      onCancel={onEnd}
    />
  );
}
