import { ActionIcon, Button, Checkbox, Group, Menu, Modal, Stack, TextInput } from '@mantine/core';
import { IconBookmark, IconCheck, IconTrash } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { readListParams, viewQuery, type ListDefinition, type ListParams } from '@/lib/listParams';
import { useSavedViews, type SavedView } from '@/lib/savedViews';
import classes from './SavedViews.module.css';

interface SavedViewsProps {
  list: ListDefinition;
  params: ListParams;
  onParams: (change: Partial<ListParams>) => void;
}

/** Searches, filters, orders and columns that somebody has given a name. */
export function SavedViews({ list, params, onParams }: SavedViewsProps) {
  const { t } = useTranslation(['common', 'lists']);
  const saved = useSavedViews(list.table);
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const query = viewQuery(params, list);
  const present = saved.views.find((view) => view.query === query);
  const label = present?.name ?? t('lists:views.title');
  const show = (view: SavedView) => onParams(readListParams(new URLSearchParams(view.query), list));
  return (
    <>
      <Menu position="bottom-end" width={260} withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            variant="default"
            aria-label={t('lists:views.menu', { name: label })}
            leftSection={<IconBookmark size={16} aria-hidden="true" />}
            className={classes.button}
            data-view
          >
            {label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {saved.views.map((view) => (
            <Menu.Item
              key={view.name}
              onClick={() => show(view)}
              aria-current={view === present || undefined}
              rightSection={view === present && <IconCheck size={16} aria-hidden="true" />}
            >
              {view.usual ? t('lists:views.usualName', { name: view.name }) : view.name}
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
        <SaveView
          views={saved.views}
          onSave={(name, usual) => {
            saved.save({ name, query, usual });
            setDialog(null);
          }}
        />
      </Modal>
      <Modal opened={dialog === 'manage'} onClose={() => setDialog(null)} title={t('lists:views.manage')}>
        <ManageViews {...saved} onEmpty={() => setDialog(null)} />
      </Modal>
    </>
  );
}

function SaveView({ views, onSave }: { views: SavedView[]; onSave: (name: string, usual: boolean) => void }) {
  const { t } = useTranslation(['common', 'lists']);
  const [name, setName] = useState('');
  const [usual, setUsual] = useState(false);
  const wanted = name.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted) onSave(wanted, usual);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('lists:views.name')}
          description={views.some((view) => view.name === wanted) ? t('lists:views.replaces') : t('lists:views.help')}
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
        <Group justify="flex-end">
          <Button type="submit" disabled={!wanted}>
            {t('action.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type ManageViewsProps = ReturnType<typeof useSavedViews> & { onEmpty: () => void };

function ManageViews({ views, rename, remove, setUsual, onEmpty }: ManageViewsProps) {
  const { t } = useTranslation(['common', 'lists']);
  return (
    <Stack gap="xs">
      {views.map((view) => (
        <Group key={view.name} gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            aria-label={t('lists:views.name')}
            defaultValue={view.name}
            maxLength={60}
            onBlur={(event) => {
              const name = event.currentTarget.value.trim();
              if (name && name !== view.name) rename(view.name, name);
              else event.currentTarget.value = view.name;
            }}
          />
          <Checkbox
            label={t('lists:views.usualShort')}
            checked={view.usual ?? false}
            onChange={(event) => setUsual(event.currentTarget.checked ? view.name : null)}
          />
          <ActionIcon
            color="red"
            aria-label={t('lists:views.remove', { name: view.name })}
            onClick={() => {
              remove(view.name);
              if (views.length === 1) onEmpty();
            }}
          >
            <IconTrash size={16} aria-hidden="true" />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  );
}
