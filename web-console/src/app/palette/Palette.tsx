import '@mantine/spotlight/styles.css';
import { Kbd, Loader } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, createSpotlight, useSpotlight } from '@mantine/spotlight';
import { IconCheck, IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MOD } from '../shell/keys';
import type { Action } from '../shell/useActions';
import classes from './Palette.module.css';
import { matchesQuery } from './matchesQuery';
import { useEntitySearch, type SearchResult } from './useEntitySearch';
import { useRecentLines } from './useRecentLines';

const TYPING_MS = 200;
const [store, spotlight] = createSpotlight();

/** What scrolls has to be reachable by keyboard. */
const REACHABLE = { viewportProps: { tabIndex: 0 } };

interface PaletteProps {
  opened: boolean;
  onClose: () => void;
  actions: Action[];
}

/** One line of the palette. */
interface Line extends Pick<SearchResult, 'id' | 'label'>, Partial<Pick<SearchResult, 'icon'>> {
  /** In place of an icon. */
  mark?: ReactNode;
  description?: string;
  keys?: string[];
  current?: boolean;
  run: () => void;
  /** What it does with `mod` held. */
  runOther?: () => void;
}

/** Goes anywhere, does anything and finds things, by a few letters. */
export function Palette({ opened, onClose, actions }: PaletteProps) {
  const { t } = useTranslation('palette');
  const [query, setQuery] = useState('');
  const [asked] = useDebouncedValue(query.trim(), TYPING_MS);
  const found = useEntitySearch(opened ? asked : '');
  const waiting = found.loading || (opened && asked !== query.trim());
  useOpened(opened);
  const recent = useRecentLines(opened && query.trim() === '');
  const groups = [
    ...(recent.length > 0 ? [{ title: t('group.recent'), lines: recent }] : []),
    ...actionGroups(actions, query).map(({ name, lines: found }) => ({ title: t(`group.${name}`), lines: found })),
    ...found.groups.map(({ title, items }) => ({ title, lines: items })),
  ];
  const lines = groups.flatMap((group): Line[] => group.lines);
  useSelection(lines);
  const withMod = useRef(false);

  const onKeyDown = (event: KeyboardEvent) => {
    withMod.current = event.ctrlKey || event.metaKey;
  };
  const run = (line: Line, event: MouseEvent) => {
    const other = withMod.current || event.ctrlKey || event.metaKey;
    withMod.current = false;
    if (other && line.runOther) line.runOther();
    else line.run();
  };

  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      // Opening is the shell's business, before this code is loaded.
      shortcut={null}
      centered={false}
      size={640}
      overlayProps={{ blur: 0 }}
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': t('title') } }}
    >
      <Spotlight.Search
        size="md"
        placeholder={t('placeholder')}
        aria-label={t('placeholder')}
        onKeyDown={onKeyDown}
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        rightSection={waiting && <Loader size={16} />}
      />
      {lines.length > 0 ? (
        <Spotlight.ActionsList {...REACHABLE}>
          {groups.map((group) => (
            <Spotlight.ActionsGroup key={group.title} className={classes.group} label={group.title}>
              {group.lines.map((line: Line) => (
                <PaletteLine key={line.id} line={line} onClick={(event) => run(line, event)} />
              ))}
            </Spotlight.ActionsGroup>
          ))}
        </Spotlight.ActionsList>
      ) : (
        <Spotlight.Empty>{waiting ? t('searching') : t('nothing', { query: query.trim() })}</Spotlight.Empty>
      )}
      {found.failed && (
        <div role="alert" className={classes.failed}>
          {t('failed')}
        </div>
      )}
      <Spotlight.Footer className={classes.footer}>
        <span>
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> {t('keys.choose')}
        </span>
        <span>
          <Kbd size="xs">Enter</Kbd> {t('keys.open')}
        </span>
        {lines.some(({ runOther }) => runOther) && (
          <span>
            <Kbd size="xs">{MOD}</Kbd> <Kbd size="xs">Enter</Kbd> {t('keys.map')}
          </span>
        )}
      </Spotlight.Footer>
      <Announcer lines={lines} waiting={waiting} />
    </Spotlight.Root>
  );
}

function PaletteLine({ line, onClick }: { line: Line; onClick: (event: MouseEvent) => void }) {
  const { t } = useTranslation('palette');
  const Icon = line.icon;
  return (
    <Spotlight.Action
      label={line.label}
      description={line.description}
      onClick={onClick}
      className={classes.line}
      leftSection={Icon ? <Icon size={18} stroke={1.75} aria-hidden="true" /> : line.mark}
      rightSection={
        line.current ? (
          <IconCheck size={16} aria-label={t('current')} />
        ) : (
          line.keys && <Kbd size="xs">{line.keys.join(' ')}</Kbd>
        )
      }
    />
  );
}

const SECTIONS = [
  ['go', ['go']],
  ['create', ['create']],
  ['settings', ['language', 'scheme', 'density', 'sound', 'session']],
] as const;

function actionGroups(actions: Action[], query: string) {
  return SECTIONS.map(([name, sections]) => ({
    name,
    lines: actions.filter(
      ({ section, label, keywords }) =>
        (sections as readonly string[]).includes(section) && matchesQuery(query, `${label} ${keywords}`),
    ),
  })).filter(({ lines }) => lines.length > 0);
}

/** The palette's own store follows whether the shell shows it. */
function useOpened(opened: boolean): void {
  useEffect(() => {
    if (opened) spotlight.open();
    else spotlight.close();
  }, [opened]);
}

/** The first line is always the chosen one when the lines change, so that Enter does what stands on top. */
function useSelection(lines: Line[]): void {
  const shown = lines.map(({ id }) => id).join(' ');
  useEffect(() => {
    const all = document.querySelectorAll('.mantine-Spotlight-action');
    all.forEach((each, index) => each.toggleAttribute('data-selected', index === 0));
    store.updateState((state) => ({ ...state, selected: all.length > 0 ? 0 : -1 }));
  }, [shown]);
}

/** Says what is chosen: the keyboard stays in the search field. */
function Announcer({ lines, waiting }: { lines: Line[]; waiting: boolean }) {
  const { t } = useTranslation('palette');
  const { selected } = useSpotlight(store);
  const line = lines[selected];
  return (
    <div role="status" className="visually-hidden">
      {line
        ? t('position', { label: line.label, index: selected + 1, count: lines.length })
        : waiting
          ? t('searching')
          : ''}
    </div>
  );
}
