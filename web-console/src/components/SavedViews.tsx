import { ActionIcon, Checkbox, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconCheck, IconTrash } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { SavedView } from '@/api/types';
import { useSavedViews } from '@/lib/savedViews';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { BusyButton } from './BusyButton';
import classes from './SavedViews.module.css';

interface SavedViewsProps {
  /** The screen whose views these are. */
  screen: string;
  /** What is on the screen, as a view keeps it. */
  query: string;
  /** The same at the moment of saving, where it changes without being drawn anew. */
  queryNow?: () => string;
  onShow: (query: string) => void;
  /** Among the small buttons of a map. */
  overMap?: boolean;
}

type Saved = ReturnType<typeof useSavedViews>;

/** States of a screen that somebody has given a name: searches, filters, orders, columns, the part of the map. */
export function SavedViews({ screen, query, queryNow = () => query, onShow, overMap }: SavedViewsProps) {
  const { t } = useTranslation(['common', 'lists']);
  const saved = useSavedViews(screen);
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const present = saved.views.find((view) => view.query === query);
  const label = present?.name ?? t('lists:views.title');
  const nameOf = (view: SavedView) => {
    const name = view.is_shared ? t('lists:views.shared', { name: view.name }) : view.name;
    return view.id === saved.usualId ? t('lists:views.usualName', { name }) : name;
  };
  return (
    <>
      <Menu position="bottom-end" width={260} withinPortal={overMap} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon
            aria-label={t('lists:views.menu', { name: label })}
            title={label}
            size={36}
            className={overMap ? classes.icon : undefined}
            variant={present && !overMap ? 'light' : undefined}
            color={present && !overMap ? 'brand' : undefined}
          >
            <IconBookmark size={18} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {saved.error !== undefined && <Menu.Label>{t('lists:views.loadFailed')}</Menu.Label>}
          {saved.views.map((view) => (
            <Menu.Item
              key={view.id}
              onClick={() => onShow(view.query)}
              aria-current={view === present || undefined}
              rightSection={view === present && <IconCheck size={16} aria-hidden="true" />}
            >
              {nameOf(view)}
            </Menu.Item>
          ))}
          {saved.views.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => setDialog('save')}>{t('lists:views.save')}</Menu.Item>
          {saved.views.length > 0 && (
            <Menu.Item onClick={() => setDialog('manage')}>{t('lists:views.manage')}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={dialog === 'save'} onClose={() => setDialog(null)} title={t('lists:views.save')} size="sm">
        <SaveView saved={saved} query={queryNow()} onDone={() => setDialog(null)} />
      </Modal>
      <Modal opened={dialog === 'manage'} onClose={() => setDialog(null)} title={t('lists:views.manage')} size="lg">
        <Stack gap="xs">
          {saved.views.map((view) => (
            <ManageView key={view.id} saved={saved} view={view} />
          ))}
        </Stack>
      </Modal>
    </>
  );
}

interface SaveViewProps {
  saved: Saved;
  /** What is on the screen, as a view keeps it. */
  query: string;
  onDone: () => void;
}

function SaveView({ saved, query, onDone }: SaveViewProps) {
  const { t } = useTranslation(['common', 'lists']);
  const [name, setName] = useState('');
  const [usual, setUsual] = useState(false);
  const [shared, setShared] = useState(false);
  const { act, busy, problem } = useMutationFeedback<SavedView>({ failure: t('lists:views.failed'), failsIn: 'place' });
  const wanted = name.trim();
  const present = saved.views.find((view) => view.name === wanted && saved.isOwn(view));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!wanted || busy) return;
    const view = { name: wanted, query, is_shared: shared };
    const done = await act(() => (present ? saved.change(present, view) : saved.add(view)));
    if (!done) return;
    if (usual) saved.setUsual(done.data);
    onDone();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <TextInput
          label={t('lists:views.name')}
          description={present ? t('lists:views.replaces') : t('lists:views.help')}
          error={problem}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Checkbox
          label={t('lists:views.usual')}
          checked={usual}
          onChange={(event) => setUsual(event.currentTarget.checked)}
        />
        <Checkbox
          label={t('lists:views.share')}
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <BusyButton type="submit" busy={busy} disabled={!wanted}>
            {t('action.save')}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}

/** One view: its name, whether the list begins with it, and whether all see it. Those of others are only shown. */
function ManageView({ saved, view }: { saved: Saved; view: SavedView }) {
  const { t } = useTranslation(['common', 'lists']);
  const change = useMutationFeedback({ failure: t('lists:views.failed') });
  const removal = useMutationFeedback({ failure: t('lists:views.removeFailed') });
  const own = saved.isOwn(view);
  const put = (part: Parameters<Saved['change']>[1]) => void change.act(() => saved.change(view, part));
  const remove = async () => {
    if ((await removal.act(() => saved.remove(view))) && saved.usualId === view.id) saved.setUsual(null);
  };
  return (
    <Group gap="xs" wrap="nowrap">
      {own ? (
        <TextInput
          flex={1}
          aria-label={t('lists:views.name')}
          defaultValue={view.name}
          maxLength={60}
          onBlur={(event) => {
            const name = event.currentTarget.value.trim();
            if (name && name !== view.name) put({ name });
            else event.currentTarget.value = view.name;
          }}
        />
      ) : (
        <Text flex={1}>{t('lists:views.shared', { name: view.name })}</Text>
      )}
      <Checkbox
        label={t('lists:views.usualShort')}
        checked={saved.usualId === view.id}
        onChange={(event) => saved.setUsual(event.currentTarget.checked ? view : null)}
      />
      {own && (
        <>
          <Checkbox
            label={t('lists:views.shareShort')}
            checked={view.is_shared}
            onChange={(event) => put({ is_shared: event.currentTarget.checked })}
          />
          <ActionIcon
            color="red"
            aria-label={t('lists:views.remove', { name: view.name })}
            onClick={() => void remove()}
          >
            <IconTrash size={16} aria-hidden="true" />
          </ActionIcon>
        </>
      )}
    </Group>
  );
}
