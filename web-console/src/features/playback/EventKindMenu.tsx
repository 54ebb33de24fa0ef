import { Button, Checkbox, Popover } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { EventMark } from '@/components/events/EventMark';
import { useEventTexts } from '@/i18n/useEventTexts';
import { useFormats } from '@/i18n/useFormats';
import classes from './Events.module.css';
import type { PlaybackEvents } from './usePlaybackEvents';

/** Which of the kinds that there are is shown: on the map, on the chart and in the list. */
export function EventKindMenu({ kinds, hidden, setHidden }: Pick<PlaybackEvents, 'kinds' | 'hidden' | 'setHidden'>) {
  const { t } = useTranslation('playback');
  const formats = useFormats();
  const { nameOf } = useEventTexts();
  const named = kinds
    .map((kind) => ({ kind, name: nameOf(kind), shown: !hidden.includes(kind) }))
    .sort((one, other) => formats.compare(one.name, other.name));
  const counts = {
    shown: formats.number(named.filter(({ shown }) => shown).length),
    all: formats.number(named.length),
  };
  const show = (kind: string, shown: boolean) => {
    const others = hidden.filter((other) => other !== kind);
    setHidden(shown ? others : [...others, kind]);
  };
  return (
    <Popover position="bottom-start" width={280} shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          size="compact-sm"
          className={classes.menu}
          leftSection={<IconFilter size={14} aria-hidden="true" />}
        >
          {t('events.kindsShown', counts)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('events.kinds')}>
        <ul className={classes.kinds} aria-label={t('events.kinds')}>
          {named.map(({ kind, name, shown }) => (
            <li key={kind}>
              <Checkbox
                checked={shown}
                label={
                  <span className={classes.kind}>
                    <EventMark kind={kind} />
                    {name}
                  </span>
                }
                onChange={({ currentTarget }) => show(kind, currentTarget.checked)}
              />
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
