import { useEffect } from 'react';
import { useSelector } from 'react-redux';
import { DetailDrawer } from '@/components/DetailDrawer';
import { DrawerForm } from '@/components/form/DrawerForm';
import { FormSection } from '@/components/form/FormSection';
import { FormTabs } from '@/components/form/FormTabs';
import { NEW, useTabParam } from '@/lib/drawerParam';
import { useFreshSnapshot } from '@/lib/useFreshSnapshot';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { callsOf, useListQuery, useOneQuery } from './calls';
import { DeleteAction } from './DeleteAction';
import { idOf, nameOf, type Resource } from './defineResource';
import { FieldInput, useIsAsked } from './FieldInput';
import type { Row } from './fields';
import { FormContentContext, useFormContext } from './formContext';
import { mayDo } from './registry';
import { useResourceTexts, useWords } from './texts';
import { useResourceForm } from './useResourceForm';
import { formFields } from './values';

interface ResourceDrawerProps<T extends Row> {
  resource: Resource<T>;
  /** An id, or `new`. */
  open: string;
  /** The page of the list behind, to go through one by one. */
  neighbours?: readonly T[];
  onShow?: (id: string) => void;
  onClose: () => void;
}

/** One thing in the drawer at the side: that of an id, or a new one. */
export function ResourceDrawer<T extends Row>({
  resource,
  open,
  neighbours = [],
  onShow,
  onClose,
}: ResourceDrawerProps<T>) {
  const texts = useResourceTexts(resource.key);
  const { t } = texts;
  const id = open === NEW ? null : open;
  // Always from the server: a change must be based on the newest version.
  const one = useOneQuery<T>(resource.key, id, { refetchOnMountOrArgChange: true });
  const loads = callsOf(resource.key).get !== undefined;
  const place = neighbours.findIndex((each) => idOf(resource, each) === id);
  const listed = neighbours[place];
  const fresh = useFreshSnapshot(one);
  // What has no call of its own is all there in the list, unless that has moved on.
  const { findBy = resource.whole && everything } = resource;
  const asked = listed || id === null ? undefined : findBy?.(id);
  const search = useListQuery<T>(resource.key, asked ?? {}, { skip: !asked });
  const items = search.currentData?.items ?? [];
  const all = resource.whole?.(items, { q: '', filters: {} }, texts) ?? items;
  const found = asked && all.find((each) => idOf(resource, each) === id);
  const row = loads ? fresh : (listed ?? found);
  const query = asked ? search : one;
  const newest = one.currentData ?? row;
  const to = (neighbour: T | undefined) => (neighbour && onShow ? () => onShow(idOf(resource, neighbour)) : null);
  const known = row ?? listed;
  const { Subtitle } = resource;
  return (
    <DetailDrawer
      size={resource.wide ? 720 : undefined}
      title={id === null ? t('createTitle') : known ? nameOf(resource, known, texts) : t('title')}
      subtitle={known && Subtitle && <Subtitle row={newest ?? known} />}
      previous={place < 0 ? undefined : to(neighbours[place - 1])}
      next={place < 0 ? undefined : to(neighbours[place + 1])}
      load={
        id !== null && !row
          ? {
              failure: t('openFailed'),
              error: query.isFetching ? undefined : (query.error ?? (loads ? undefined : GONE)),
              onRetry: () => void query.refetch(),
            }
          : undefined
      }
      onClose={onClose}
    >
      <Content resource={resource} row={row} newest={newest} onClose={onClose} />
    </DetailDrawer>
  );
}

const everything = () => ({});
const GONE = { status: 404, message: '' };

interface ContentProps<T extends Row> {
  resource: Resource<T>;
  row: T | undefined;
  newest: T | undefined;
  onClose: () => void;
}

function Content<T extends Row>({ resource, row, newest, onClose }: ContentProps<T>) {
  const { Above, Instead, Form } = resource;
  if (row && Instead?.when(row)) return <Instead.Part row={row} onClose={onClose} />;
  return (
    <>
      {newest && Above && <Above row={newest} onClose={onClose} />}
      {Form ? (
        <Form
          row={row}
          removal={newest && <RemoveAction resource={resource} row={newest} onDeleted={onClose} />}
          onClose={onClose}
        />
      ) : (
        <FieldsForm resource={resource} row={row} onClose={onClose} />
      )}
    </>
  );
}

interface FieldsFormProps<T extends Row> {
  resource: Resource<T>;
  row: T | undefined;
  onClose: () => void;
}

/** A form of the fields of a resource. */
function FieldsForm<T extends Row>({ resource, row, onClose }: FieldsFormProps<T>) {
  const words = useWords(resource.key);
  const { t } = words;
  const [tab, setTab] = useTabParam();
  const { form, base } = useResourceForm(resource, { row, tab, onClose });
  const content = {
    resource: resource as unknown as Resource,
    form,
    row: base,
    words,
  };
  const first = Object.keys(resource.form?.tabs ?? {})[0];
  const wanted = form.tab === first ? null : form.tab;
  useEffect(() => {
    if (resource.form?.tabs && wanted !== tab) setTab(wanted);
  }, [resource, wanted, tab, setTab]);
  return (
    <FormContentContext value={content}>
      <DrawerForm
        form={form}
        submitLabel={base ? t('save') : t('create')}
        onClose={onClose}
        actions={base && <RemoveAction resource={resource} row={base} onDeleted={onClose} />}
      >
        <LaidOut />
      </DrawerForm>
    </FormContentContext>
  );
}

/** Deletes a thing, for those who may. */
function RemoveAction<T extends Row>(props: { resource: Resource<T>; row: T; onDeleted: () => void }) {
  const { resource, row } = props;
  const person = useSelector(selectPerson);
  const { remove } = resource;
  if (remove === false || !callsOf(resource.key).remove || !mayDo(resource.key, 'delete', person)) return null;
  return remove?.allowed?.(row, person?.id) === false ? null : <DeleteAction {...props} />;
}

/** The fields under headings, on tabs, or one below the other, and what else there is to see of a thing. */
function LaidOut() {
  const { resource, form, row, words } = useFormContext();
  const { sections, tabs } = resource.form ?? {};
  const { t } = words;
  const person = useSelector(selectPerson);
  const parts = Object.entries(resource.parts ?? {}).filter(
    ([, { ability }]) => row && (!ability || can(ability, person)),
  );
  if (tabs) {
    const fields = Object.entries(tabs).map(([value, names]) => ({ value, content: <Inputs names={names} /> }));
    const others = parts.map(([value, { Part }]) => ({
      value,
      content: form.tab === value && <Part row={row as never} />,
    }));
    return (
      <FormTabs
        form={form}
        label={t('tabs')}
        tabs={[...fields, ...others].map((tab) => ({ ...tab, label: t(`tab.${tab.value}`) }))}
      />
    );
  }
  const names = formFields(resource).map(([name]) => name);
  return (
    <>
      {sections ? (
        Object.entries(sections).map(([name, fields]) => <Section key={name} name={name} names={fields} />)
      ) : (
        <Inputs names={names} />
      )}
      {parts.map(([name, { Part }]) => (
        <FormSection key={name} title={t(`section.${name}`)}>
          <Part row={row as never} />
        </FormSection>
      ))}
    </>
  );
}

function Section({ name, names }: { name: string; names: readonly string[] }) {
  const { words } = useFormContext();
  const asked = useIsAsked();
  if (!names.some(asked)) return null;
  return (
    <FormSection title={words.t(`section.${name}`)}>
      <Inputs names={names} />
    </FormSection>
  );
}

/** These fields of the form. */
const Inputs = ({ names }: { names: readonly string[] }) => names.map((name) => <FieldInput key={name} name={name} />);
