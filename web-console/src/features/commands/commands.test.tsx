import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import type { Command } from '@/api/generated';
import { SendToMany } from '@/components/commands/SendToMany';
import { live, type ServerMessage } from '@/live/live';
import { useCommandResponses } from '@/live/useCommandResponses';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import resource from './commands.resource';
import kept from './saved-commands.resource';

setUpTestServer();

const reboot: Command = {
  id: 'command-1',
  tenant_id: 'tenant-1',
  device_id: 'device-1',
  device_name: 'Truk Cakung',
  imei: '356938035643809',
  kind: 'reboot',
  interval_seconds: 0,
  output: 0,
  output_on: false,
  text: '',
  reason: 'Posisinya macet',
  state: 'queued',
  state_reason: 'not_connected',
  answer: '',
  user_id: 'user-2',
  gateway: '',
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  expires_at: '2026-11-02T00:00:00Z',
  row_version: 3,
};

const RIGHTS = ['create', 'list', 'engine', 'raw', 'consent'].map((act) => `command:${act}`);

function somebody(permissions = [...RIGHTS, 'device:list']) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return store;
}

/** The server with one command. */
function serve(command: Command) {
  server.use(
    http.get(at('/api/v1/commands'), () => HttpResponse.json({ items: [command], total: 1 })),
    http.get(at('/api/v1/commands/:id'), () => HttpResponse.json(command)),
    http.get(at('/api/v1/devices'), () =>
      HttpResponse.json({ items: [{ id: 'device-1', name: 'Truk Cakung' }], total: 1 }),
    ),
    http.get(at('/api/v1/devices/:id'), () => HttpResponse.json({ id: 'device-1', name: 'Truk Cakung' })),
    http.get(at('/api/v1/devices/:id/command-kinds'), () =>
      HttpResponse.json({ items: ['engine_stop', 'reboot', 'position_periodic'], engine_stop_consent: true }),
    ),
    http.get(at('/api/v1/users'), () => HttpResponse.json({ items: [], total: 0 })),
  );
}

const show = (open = '', store = somebody()) =>
  renderAt(<ResourceListPage resource={resource} />, `/commands${open}`, store);

const choose = async (form: ReturnType<typeof within>, label: string, option: string) => {
  await userEvent.click(await form.findByRole('combobox', { name: label }));
  await userEvent.click(await screen.findByRole('option', { name: option }));
};

describe('the history of commands', () => {
  it('tells what was sent to whom, how far it has come, and why', async () => {
    serve({ ...reboot, kind: 'position_periodic', interval_seconds: 30 });
    show();
    const row = within(await screen.findByRole('row', { name: /Truk Cakung/ }));
    expect(row.getByText('Posisi berkala: tiap 30 detik')).toBeTruthy();
    expect(row.getByText('Mengantre')).toBeTruthy();
    expect(row.getByText('Alat GPS tidak tersambung')).toBeTruthy();
  });

  it('asks before a command is taken back', async () => {
    serve(reboot);
    const asked = vi.fn();
    server.use(
      http.post(at('/api/v1/commands/:id/cancel'), ({ request }) => {
        asked(request.headers.get('if-match'));
        return HttpResponse.json({ ...reboot, state: 'cancelled' });
      }),
    );
    show('?open=command-1');
    const drawer = within(await screen.findByRole('dialog', { name: 'Truk Cakung' }));
    await userEvent.click(await drawer.findByRole('button', { name: 'Batalkan perintah' }));
    const question = within(await screen.findByRole('dialog', { name: 'Batalkan perintah untuk Truk Cakung?' }));
    expect(asked).not.toHaveBeenCalled();
    await userEvent.click(question.getByRole('button', { name: 'Batalkan perintah' }));
    await waitFor(() => expect(asked).toHaveBeenCalledWith('3'));
  });

  it('leaves to a person what became of one that nobody answered', async () => {
    serve({ ...reboot, state: 'unknown', state_reason: 'no_answer' });
    const toast = vi.fn();
    server.use(
      http.post(at('/api/v1/commands/:id/resolve'), async ({ request }) => {
        toast(await request.json());
        return HttpResponse.json({ ...reboot, state: 'failed' });
      }),
    );
    show('?open=command-1');
    await userEvent.click(await screen.findByRole('button', { name: 'Tidak dilaksanakan' }));
    const question = within(await screen.findByRole('dialog', { name: /tidak dilaksanakan\?$/ }));
    await userEvent.click(question.getByRole('button', { name: 'Tidak dilaksanakan' }));
    await waitFor(() => expect(toast).toHaveBeenCalledWith({ carried_out: false }));
  });

  it('lets nobody agree to their own', async () => {
    const stop: Command = { ...reboot, kind: 'engine_stop', state: 'awaiting_consent', state_reason: 'unspecified' };
    serve({ ...stop, user_id: 'user-1' });
    const { unmount } = show('?open=command-1');
    await screen.findByRole('button', { name: 'Batalkan perintah' });
    expect(screen.queryByRole('button', { name: 'Setujui' })).toBeNull();
    unmount();
    serve(stop);
    show('?open=command-1');
    expect(await screen.findByRole('button', { name: 'Setujui' })).toBeTruthy();
  });

  it('offers who may only look nothing to do', async () => {
    serve({ ...reboot, state: 'unknown' });
    show('?open=command-1', somebody(['command:list']));
    await screen.findByRole('dialog', { name: /Truk Cakung/ });
    for (const name of ['Kirim perintah', 'Kirim lagi', 'Sudah dilaksanakan'])
      expect(screen.queryByRole('button', { name, hidden: true })).toBeNull();
  });
});

describe('a command', () => {
  it('that stops an engine needs a reason and is asked about; tried again it is the same', async () => {
    serve(reboot);
    const sent: Record<string, unknown>[] = [];
    server.use(
      http.post(at('/api/v1/devices/:id/commands'), async ({ request }) => {
        sent.push((await request.json()) as Record<string, unknown>);
        if (sent.length === 1) return HttpResponse.json({ error: 'unavailable', message: 'x' }, { status: 503 });
        return HttpResponse.json(reboot);
      }),
    );
    show(`?open=${encodeURIComponent('new?device_id=device-1')}`);
    const form = within(await screen.findByRole('dialog', { name: 'Kirim perintah' }));
    await choose(form, 'Perintah', 'Matikan mesin');
    expect(await form.findByText(/Orang kedua harus menyetujuinya/)).toBeTruthy();
    const submit = () => userEvent.click(form.getByRole('button', { name: 'Kirim' }));
    await submit();
    expect(await form.findAllByText('Tulis alasan mematikan mesin.')).toBeTruthy();
    await userEvent.type(form.getByLabelText(/^Alasan/), 'Dicuri');
    for (const calls of [1, 2]) {
      await submit();
      const question = within(await screen.findByRole('dialog', { name: 'Matikan mesin kendaraan ini?' }));
      expect(await question.findByText('Truk Cakung')).toBeTruthy();
      await userEvent.click(question.getByRole('button', { name: 'Matikan mesin' }));
      await waitFor(() => expect(sent).toHaveLength(calls));
    }
    expect(sent[0]).toMatchObject({ kind: 'engine_stop', reason: 'Dicuri', expires_in_seconds: 86_400 });
    expect(sent[0]?.request_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(sent[1]?.request_id).toBe(sent[0]?.request_id);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('to many devices tells which of them did not get it', async () => {
    serve(reboot);
    let body: unknown;
    server.use(
      http.post(at('/api/v1/commands'), async ({ request }) => {
        body = await request.json();
        const items = [
          { device_id: 'device-2', error: '', command: reboot },
          { device_id: 'device-1', error: 'unsupported_by_protocol' },
        ];
        return HttpResponse.json({ items, succeeded: 1, failed: 1 });
      }),
    );
    const done = vi.fn();
    const ids = () => Promise.resolve({ data: ['device-2', 'device-1'] });
    renderAt(<SendToMany opened count={2} ids={ids} onDone={done} onCancel={() => undefined} />, '/', somebody());
    const dialog = within(await screen.findByRole('dialog', { name: 'Kirim perintah ke 2 perangkat' }));
    await choose(dialog, 'Perintah', 'Mulai ulang alat GPS');
    await userEvent.click(dialog.getByRole('button', { name: 'Kirim' }));
    expect(await dialog.findByText('Protokolnya tidak mengenal perintah ini')).toBeTruthy();
    expect(await dialog.findByText('Truk Cakung')).toBeTruthy();
    expect(body).toMatchObject({ device_ids: ['device-2', 'device-1'], command: { kind: 'reboot' } });
    await userEvent.click(dialog.getByRole('button', { name: 'Tutup' }));
    expect(done).toHaveBeenCalled();
  });
});

describe('a command that is kept', () => {
  const minutely = { id: 'saved-1', name: 'Tiap menit', kind: 'position_periodic', interval_seconds: 60 };

  it('has what its kind needs', async () => {
    let body: unknown;
    server.use(
      http.get(at('/api/v1/saved-commands'), () => HttpResponse.json({ items: [], total: 0 })),
      http.post(at('/api/v1/saved-commands'), async ({ request }) => {
        body = await request.json();
        return HttpResponse.json({ ...minutely, row_version: 1 }, { status: 201 });
      }),
    );
    const store = somebody([...RIGHTS, 'saved_command:list', 'saved_command:create']);
    renderAt(<ResourceListPage resource={kept} />, '/commands/saved?open=new', store);
    const form = within(await screen.findByRole('dialog', { name: 'Perintah tersimpan baru' }));
    await userEvent.type(form.getByLabelText(/^Nama/), 'Atur output dua');
    await choose(form, 'Perintah', 'Atur output');
    await userEvent.clear(await form.findByLabelText(/^Nomor output/));
    await userEvent.type(form.getByLabelText(/^Nomor output/), '2');
    await userEvent.click(form.getByRole('button', { name: 'Tambah perintah tersimpan' }));
    await waitFor(() => expect(body).toBeDefined());
    expect(body).toMatchObject({ name: 'Atur output dua', kind: 'output_control', output: 2, output_on: true });
    expect(body).not.toHaveProperty('interval_seconds');
  });

  it('fills in the form of one that is sent', async () => {
    serve(reboot);
    server.use(http.get(at('/api/v1/saved-commands'), () => HttpResponse.json({ items: [minutely], total: 1 })));
    show('?open=new', somebody([...RIGHTS, 'device:list', 'saved_command:list']));
    const form = within(await screen.findByRole('dialog', { name: 'Kirim perintah' }));
    await choose(form, 'Perintah tersimpan', 'Tiap menit');
    expect((await form.findByLabelText<HTMLInputElement>(/^Interval/)).value).toMatch(/^60/);
  });
});

describe('the live socket', () => {
  const Subscriber = () => {
    useCommandResponses();
    return <ResourceListPage resource={resource} />;
  };

  it('keeps the list up to date', async () => {
    let emit: ((message: ServerMessage) => void) | undefined;
    vi.spyOn(live, 'onMessage').mockImplementation((type, listener) => {
      if (type === 'command_response') emit = listener;
      return () => undefined;
    });
    serve(reboot);
    renderAt(<Subscriber />, '/commands', somebody());
    await screen.findByText('Mengantre');
    const done: Command = { ...reboot, state: 'acknowledged', state_reason: 'unspecified', answer: 'OK' };
    serve(done);
    act(() => emit?.({ type: 'command_response', payload: { device_id: 'device-1', command: done } }));
    expect(await screen.findByText('Dilaksanakan')).toBeTruthy();
  });
});
