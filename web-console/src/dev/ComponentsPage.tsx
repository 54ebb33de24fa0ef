import { Title } from '@mantine/core';
import type { ComponentType } from 'react';
import { Page } from '@/components/Page';
import { Toasts } from '@/components/Toasts';
import { useTitle } from '@/lib/useTitle';
import classes from './ComponentsPage.module.css';
import { Fields } from './Fields';
import { Headers } from './Headers';
import { Lists } from './Lists';
import { Marks } from './Marks';
import { Overlays } from './Overlays';
import { States } from './States';
import { Tokens } from './Tokens';

/** The sections by their names in the address; the tests look at each alone. */
const SECTIONS: Record<string, ComponentType> = {
  tokens: Tokens,
  headers: Headers,
  marks: Marks,
  states: States,
  lists: Lists,
  fields: Fields,
  overlays: Overlays,
};

/** Every shared part in every state, for whoever builds a screen and for the visual and accessibility tests. */
export function ComponentsPage() {
  useTitle('Components');
  return (
    <main>
      <Page>
        <Title order={1}>Components</Title>
        {Object.entries(SECTIONS).map(([name, Section]) => (
          <section key={name} data-section={name} aria-label={name} className={classes.section}>
            <Title order={2}>{name}</Title>
            <Section />
          </section>
        ))}
      </Page>
      <Toasts />
    </main>
  );
}
