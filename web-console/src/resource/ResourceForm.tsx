import { Skeleton } from '@mantine/core';
import { Suspense, use, useEffect, type ComponentType } from 'react';
import { useSelector } from 'react-redux';
import { DrawerForm } from '@/components/form/DrawerForm';
import { FormSection } from '@/components/form/FormSection';
import { FormTabs } from '@/components/form/FormTabs';
import { DrawerDepth } from '@/components/unsaved';
import { useTabParam } from '@/lib/drawerParam';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import type { FormProps, Resource } from './defineResource';
import { EDIT, isOfForm } from './drawerTab';
import { FieldInput, useIsAsked } from './FieldInput';
import type { Row } from './fields';
import { FormContentContext, useFormContext } from './formContext';
import { useWords } from './texts';
import { useResourceForm } from './useResourceForm';
import { formFields } from './values';

/** The form of a resource: its fields as they are laid out. */
export function ResourceForm<T extends Row>({ resource, row, newest, known, initial, removal, onClose }: FormProps<T>) {
  const words = useWords(resource.key);
  const { t } = words;
  const [addressed, setTab] = useTabParam();
  // The tab in the address is that of the lowest drawer.
  const isLowest = use(DrawerDepth) === 0;
  const tab = isLowest ? addressed : null;
  const isBehind = row !== undefined && resource.now !== undefined;
  const own = tab === EDIT ? null : tab;
  const { form, base } = useResourceForm(resource, { row, newest, known, initial, tab: own, onClose });
  const first = Object.keys(resource.form?.tabs ?? {})[0];
  const wanted = form.tab && form.tab !== first ? form.tab : isBehind ? EDIT : null;
  // While something else of the thing is in front, the address is not the form's.
  const isAddressed = isLowest && resource.form?.tabs !== undefined && (!isBehind || isOfForm(resource, tab));
  useEffect(() => {
    if (isAddressed && wanted !== tab) setTab(wanted);
  }, [isAddressed, wanted, tab, setTab]);
  return (
    <FormContentContext
      value={{ resource: resource as unknown as Resource, form, row: base, newest: newest ?? base, words }}
    >
      <DrawerForm form={form} submitLabel={base ? t('save') : t('create')} onClose={onClose} actions={removal}>
        <LaidOut />
      </DrawerForm>
    </FormContentContext>
  );
}

/** The fields under headings, on tabs, or one below the other, and what else there is to see of a thing. */
function LaidOut() {
  const { resource, form, row, newest, words } = useFormContext();
  const { sections, tabs } = resource.form ?? {};
  const { t } = words;
  const person = useSelector(selectPerson);
  // Of a thing that is seen by what it does now, they stand beside its form.
  const parts = Object.entries((row && resource.now ? undefined : resource.parts) ?? {}).filter(
    ([, { ability, when }]) => row && (!ability || can(ability, person)) && (when?.(row) ?? true),
  );
  if (tabs) {
    const fields = Object.entries(tabs).map(([value, names]) => ({ value, content: <TabFields names={names} /> }));
    const others = parts.map(([value, { Part }]) => ({
      value,
      content: form.tab === value && <LoadedPart Part={Part} row={newest as object} />,
    }));
    // One tab leads nowhere.
    if (fields.length + others.length === 1) return fields[0]?.content;
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
          <LoadedPart Part={Part} row={newest as object} />
        </FormSection>
      ))}
    </>
  );
}

/** A part of its own: while it loads its texts the form stays, and with it the keyboard and what is being typed. */
const LoadedPart = ({ Part, row }: { Part: ComponentType<{ row: object }>; row: object }) => (
  <Suspense fallback={<Skeleton height={40} />}>
    <Part row={row} />
  </Suspense>
);

function Section({ name, names }: { name: string; names: readonly string[] }) {
  const { resource, row, words } = useFormContext();
  const asked = useIsAsked();
  const Note = resource.form?.notes?.[name];
  if (!names.some(asked) && !Note) return null;
  return (
    <FormSection title={words.t(`section.${name}`)}>
      <Inputs names={names} />
      {Note && <Note row={row} />}
    </FormSection>
  );
}

/** The fields of a tab; those of a section stand behind the others, under its heading. */
function TabFields({ names }: { names: readonly string[] }) {
  const { resource } = useFormContext();
  const sections = Object.entries(resource.form?.sections ?? {}).filter(([, fields]) =>
    fields.some((name) => names.includes(name)),
  );
  const apart = sections.flatMap(([, fields]) => fields);
  return (
    <>
      <Inputs names={names.filter((name) => !apart.includes(name))} />
      {sections.map(([name, fields]) => (
        <Section key={name} name={name} names={fields} />
      ))}
    </>
  );
}

/** These fields of the form. */
const Inputs = ({ names }: { names: readonly string[] }) => names.map((name) => <FieldInput key={name} name={name} />);
