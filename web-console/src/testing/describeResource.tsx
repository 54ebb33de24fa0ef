import { cleanup, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { i18n } from '@/i18n/i18n';
import { LANGUAGES } from '@/i18n/languages';
import { callsOf } from '@/resource/calls';
import { idOf, nameOf, type Resource } from '@/resource/defineResource';
import type { Field, Row } from '@/resource/fields';
import { REGISTRY } from '@/resource/registry';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { useResourceTexts } from '@/resource/texts';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from './render';
import { at, server } from './server';
import { loginAnswer, tokenWith } from './tokens';

const ACTS = ['list', 'create', 'update', 'delete', 'export'];

/** A value as the server could send it. */
function sampleOf(name: string, field: Field): unknown {
  switch (field.kind) {
    case 'number':
    case 'money':
      return 3;
    case 'flag':
      return true;
    case 'tags':
      return [];
    case 'instant':
      return '2026-11-01T00:00:00Z';
    case 'date':
      return '2026-11-01';
    case 'choice':
      return field.values[0] ?? field.labels?.('', 'id')[0]?.value;
    case 'entity':
      return `${field.of}-1`;
    case 'entities':
      return '';
    case 'text':
      return field.form?.required || field.column ? `Contoh ${name}` : '';
    case 'shown':
      return undefined;
  }
}

const rowOf = (resource: Resource, more: object): Row => ({
  ...Object.fromEntries(Object.entries(resource.fields).map(([name, field]) => [name, sampleOf(name, field as Field)])),
  id: 'thing-1',
  row_version: 3,
  ...more,
});

/** A session of somebody who may do these things of a resource, or of a platform owner where all of it is theirs. */
function storeFor({ key }: Resource, acts: string[]) {
  const store = createStore();
  const { module, readBy } = REGISTRY[key];
  const permissions = acts.map((act) => (module ? `${module}:${act}` : (readBy ?? '')));
  const login = loginAnswer({ permissions });
  const owns = module === null && acts.length > 0;
  const token = tokenWith({ sub: 'owner', is_platform_owner: true, exp: Math.floor(Date.now() / 1000) + 600 });
  const owner = { ...login.user, tenant_id: undefined, is_platform_owner: true, is_tenant_admin: false };
  store.dispatch(signedIn(owns ? { token, user: owner } : login));
  return store;
}

/** What looks like the name of a text instead of a text. */
const KEY = /\b(field|help|bulk|noun|summary|section|tab|validation|confirm\w*|empty\w*)\.[a-z_]+/;

/**
 * What holds for every resource: the states of its list, what somebody may do, the keyboard, four languages, and a change
 * that somebody else was faster with. `more` is what of a row does not follow from the fields.
 */
export function describeResource(resource: Resource, more: object = {}): void {
  const { key } = resource;
  const calls = callsOf(key);
  const row = rowOf(resource, more);
  const id = idOf(resource, row);
  const texts = () => renderHook(() => useResourceTexts(key)).result.current;
  const text = (of: string, values?: Record<string, unknown>) => texts().t(of, values);
  let name: string;
  const show = (acts = ACTS, more = '') =>
    renderAt(<ResourceListPage resource={resource} />, REGISTRY[key].path + more, storeFor(resource, acts));
  /** The server's answer to the list. */
  const answer = (list: () => Response | Promise<Response>) => server.use(http.get(at(calls.path), list));
  const items = (rows: Row[]) => HttpResponse.json({ items: rows, total: rows.length });
  // What a name consists of may stand in several columns.
  const listed = () => screen.findByRole('row', { name: new RegExp(name.replaceAll(', ', '.*')) });
  const isOpen = !resource.closed && !resource.pathOf;

  describe(`the resource ${key}`, () => {
    beforeEach(() => {
      name = nameOf(resource, row, texts());
      server.use(
        http.get(at(`${calls.path}/summary`), () => HttpResponse.json({})),
        http.get(at(`${calls.path}/:id`), () => HttpResponse.json(row)),
        http.get(at('/api/v1/*'), () => items([])),
      );
      answer(() => items([row]));
    });

    it('is loading, not to be had, there, or empty', async () => {
      answer(() => HttpResponse.json({ error: 'internal', message: 'Rusak.' }, { status: 500 }));
      show();
      expect(document.querySelector('[aria-busy=true]')).toBeTruthy();
      const alert = within(await screen.findByRole('alert'));
      expect(alert.getByText(text('loadFailed'))).toBeTruthy();
      expect(screen.queryByText(text('emptyTitle'))).toBeNull();
      answer(() => items([row]));
      await userEvent.click(alert.getByRole('button', { name: 'Coba lagi' }));
      expect(await listed()).toBeTruthy();
      cleanup();
      answer(() => items([]));
      show();
      expect(await screen.findByText(text('emptyTitle'))).toBeTruthy();
    });

    it('is for those alone who may see it', async () => {
      show([]);
      expect(await screen.findByText(text('noAccess'))).toBeTruthy();
    });

    it.runIf(REGISTRY[key].module !== null)('offers nothing that somebody may not do', async () => {
      show(['list'], isOpen ? `?open=${encodeURIComponent(id)}` : '');
      if (isOpen) await screen.findByRole('dialog', { name });
      else await listed();
      const missing = [text('add'), text('save'), text('bulk.remove.label'), 'Ekspor'];
      for (const label of missing) expect(screen.queryByRole('button', { name: label, hidden: true })).toBeNull();
    });

    it('is walked through by keyboard', async () => {
      const { router } = show();
      const shown = await listed();
      await userEvent.keyboard('j');
      expect(shown.contains(document.activeElement)).toBe(true);
      if (resource.closed) return;
      await userEvent.keyboard('{Enter}');
      if (resource.pathOf) {
        await waitFor(() => expect(router.state.location.pathname).toBe(resource.pathOf?.(row)));
        return;
      }
      await screen.findByRole('dialog', { name });
      await userEvent.keyboard('{Escape}');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await waitFor(() => expect(shown.contains(document.activeElement)).toBe(true));
    });

    it('has words in every language', async () => {
      try {
        for (const language of LANGUAGES) {
          await i18n.changeLanguage(language);
          const opensNothing = resource.pathOf || (resource.closed && resource.noCreate);
          const drawer = resource.closed ? 'new' : encodeURIComponent(id);
          const open = opensNothing ? '' : `?open=${drawer}`;
          show(ACTS, open);
          await screen.findByRole('heading', { level: 1, name: new RegExp(text('title')), hidden: true });
          if (open) await screen.findByRole('dialog');
          expect(document.body.textContent).not.toMatch(KEY);
          cleanup();
        }
      } finally {
        await i18n.changeLanguage('id');
      }
    });

    // What is once called something may stay that for good: then another text is what two people change.
    const [edited = ''] =
      Object.entries(resource.fields).find(([, field]) => {
        const { kind, form } = field as Field;
        return kind === 'text' && form && !form.newOnly;
      }) ?? [];
    const isEdited = edited !== '' && isOpen && calls.get && calls.update && !resource.Instead?.when(row);
    it.runIf(isEdited)('shows both versions of what somebody else has changed meanwhile, and merges', async () => {
      const sent: { version: string | null; body: object }[] = [];
      const before = String((row as Record<string, unknown>)[edited]);
      let now = row;
      server.use(
        http.get(at(`${calls.path}/:id`), () => HttpResponse.json(now)),
        http.put(at(`${calls.path}/:id`), async ({ request }) => {
          sent.push({ version: request.headers.get('if-match'), body: (await request.json()) as object });
          if (sent.length > 1) return HttpResponse.json({ ...now, row_version: 8 });
          now = { ...row, [edited]: 'Nama mereka', row_version: 7 };
          return HttpResponse.json({ error: 'version_mismatch', message: 'x' }, { status: 412 });
        }),
      );
      // Of some the form is not the first to be seen.
      show(ACTS, `?open=${id}${resource.now ? '&tab=edit' : ''}`);
      const drawer = within(await screen.findByRole('dialog', { name }));
      await userEvent.type(await drawer.findByLabelText(new RegExp(`^${text(`field.${edited}`)}`)), ' saya');
      /** Some ask first. */
      const save = async (calls: number) => {
        await userEvent.click(drawer.getByRole('button', { name: text('save') }));
        await waitFor(() => {
          const question = screen.queryByRole('button', { name: 'Simpan' });
          expect(question !== null || sent.length === calls).toBe(true);
        });
        const question = screen.queryByRole('button', { name: 'Simpan' });
        if (question) await userEvent.click(question);
      };
      await save(1);
      const merge = within(await screen.findByRole('dialog', { name: 'Sudah diubah oleh orang lain' }));
      expect(merge.getByRole('radio', { name: /Versi mereka: Nama mereka$/ })).toBeTruthy();
      expect(
        merge.getByRole<HTMLInputElement>('radio', { name: new RegExp(`Versi Anda: ${before} saya$`) }).checked,
      ).toBe(true);
      await userEvent.click(merge.getByRole('button', { name: 'Gabungkan' }));
      await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sudah diubah oleh orang lain' })).toBeNull());
      await save(2);
      await waitFor(() => expect(sent.map(({ version }) => version)).toEqual(['3', '7']));
      expect(sent[1]?.body).toMatchObject({ [edited]: `${before} saya` });
    });
  });
}
