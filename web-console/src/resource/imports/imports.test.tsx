import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import drivers from '@/features/drivers/drivers.resource';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderRoutes } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { dismissJob, useFollowedJobs, useJobPolling, type Job } from '../jobs';
import { JobTray } from '../JobTray';
import { ResourceListPage } from '../ResourceListPage';
import type { ImportPreview, ImportReport } from './importCalls';

setUpTestServer();

const MAY = ['list', 'create', 'update', 'delete', 'export'].map((act) => `driver:${act}`);
const PREVIEW: ImportPreview = {
  rows: 3,
  columns: [
    { heading: 'Sopir', samples: ['Siti', 'Agus'], field: '' },
    { heading: 'Telepon', samples: ['0812'], field: 'phone' },
    { heading: 'Lain', samples: [], field: '' },
  ],
  fields: [
    { name: 'name', label: 'Nama', is_required: true },
    { name: 'phone', label: 'Telepon', is_required: false },
    { name: 'id', label: 'ID', is_required: false },
  ],
};
const GOOD: ImportReport = { creates: 3, updates: 0, deletes: 0, failed: 0, errors: [] };

/** What takes the file in. */
let job: Job;
/** What tries it out. */
let trial: Job;
let report: ImportReport;
/** Jobs that were stopped. */
let stopped: string[];
let preview: ImportPreview;
/** What was asked with a file: the query, the content type and the file itself. */
let asked: { query: URLSearchParams; type: string | null; body: string }[];

beforeEach(() => {
  sessionStorage.clear();
  dismissJob('job-1');
  asked = [];
  stopped = [];
  report = GOOD;
  preview = PREVIEW;
  job = {
    id: 'job-1',
    service: 'fleet',
    kind: 'import',
    resource: 'driver',
    action: 'import',
    status: 'running',
    total: 3,
    done: 1,
    failed: 0,
    created_by: 'user-1',
    created_at: '2026-11-28T03:00:00Z',
    is_trial: false,
    can_be_undone: false,
  };
  trial = { ...job, id: 'trial-1', status: 'completed', done: 3, is_trial: true };
  server.use(
    http.get(at('/api/v1/drivers'), () => HttpResponse.json({ items: [], total: 0 })),
    http.get(at('/api/v1/jobs/fleet/job-1'), () => HttpResponse.json(job)),
    http.get(at('/api/v1/jobs/fleet/trial-1'), () => HttpResponse.json(trial)),
    http.get(at('/api/v1/jobs/fleet/trial-1/import-report'), () => HttpResponse.json(report)),
    http.post(at('/api/v1/jobs/fleet/:id/cancel'), ({ params }) => {
      stopped.push(String(params.id));
      return HttpResponse.json({ ...trial, status: 'cancelled' });
    }),
    http.post(at('/api/v1/drivers/import/preview'), () => HttpResponse.json(preview)),
    http.post(at('/api/v1/drivers/import'), async ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push({ query, type: request.headers.get('content-type'), body: await request.text() });
      return HttpResponse.json(query.get('mode') === 'dry_run' ? trial : job, { status: 202 });
    }),
  );
});

function Tray() {
  useJobPolling();
  return useFollowedJobs().length > 0 && <JobTray />;
}

function show(permissions = MAY, path = '/drivers') {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  const element = (
    <>
      <ResourceListPage resource={drivers} />
      <Tray />
    </>
  );
  return renderRoutes([{ path: '/drivers', element }], path, store);
}

const drawer = async () => within(await screen.findByRole('dialog', { name: 'Impor pengemudi' }));
const file = (name = 'sopir.csv', content = 'Sopir,Telepon,Lain\nSiti,0812,\n') => new File([content], name);
const press = async (name: string | RegExp) => userEvent.click(await (await drawer()).findByRole('button', { name }));

/** Hands over a file, as the browser does once one was chosen. */
async function choose(chosen: File = file()) {
  const input = await waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('input[type=file]');
    expect(found).toBeTruthy();
    return found as HTMLInputElement;
  });
  fireEvent.change(input, { target: { files: [chosen] } });
}

async function pickField(heading: string, label: RegExp) {
  await userEvent.click(await (await drawer()).findByRole('combobox', { name: `Isian untuk kolom ${heading}` }));
  await userEvent.click(await screen.findByRole('option', { name: label }));
}

/** Has a file tried out. */
async function tryOut() {
  const view = show(MAY, '/drivers?open=import');
  await choose();
  await pickField('Sopir', /^Nama/);
  await press('Periksa');
  return view;
}

/** To what was found in the file. */
async function toCheck() {
  await tryOut();
  await (await drawer()).findByText('Hasil pemeriksaan');
}

describe('choosing a file', () => {
  it('is offered to who may make something', async () => {
    show(['driver:list', 'driver:update']);
    await screen.findByText('Belum ada pengemudi');
    expect(screen.queryByRole('button', { name: 'Impor' })).toBeNull();
  });

  it('gives templates, says what is too large, and why a file is none; the step stays', async () => {
    let format: string | null = null;
    let saved = '';
    URL.createObjectURL = () => 'blob:file';
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved = this.download;
    });
    server.use(
      http.get(at('/api/v1/drivers/import/template'), ({ request }) => {
        format = new URL(request.url).searchParams.get('format');
        return new HttpResponse('x', { headers: { 'content-disposition': 'attachment; filename="templat.xlsx"' } });
      }),
      http.post(at('/api/v1/drivers/import/preview'), () =>
        HttpResponse.json({ error: 'import_broken', message: 'Berkas ini tidak dapat dibaca.' }, { status: 422 }),
      ),
    );
    show();
    // With no drivers there is nothing to search, and this stands below what says so.
    await screen.findByText('Belum ada pengemudi');
    await userEvent.click(screen.getByRole('button', { name: 'Impor' }));
    await press('Excel (XLSX)');
    await waitFor(() => expect([saved, format]).toEqual(['templat.xlsx', 'xlsx']));
    const large = file();
    Object.defineProperty(large, 'size', { value: 8 * 1024 * 1024 + 1 });
    await choose(large);
    expect((await (await drawer()).findByRole('alert')).textContent).toContain('lebih besar dari 8 MB');
    await choose(file('gambar.png'));
    await waitFor(async () =>
      expect((await drawer()).getByRole('alert').textContent).toBe('Berkas ini tidak dapat dibaca.'),
    );
    expect((await drawer()).getByText('Langkah 1 dari 3: Berkas')).toBeTruthy();
  });

  it('takes one that is dropped', async () => {
    show(MAY, '/drivers?open=import');
    const zone = await (await drawer()).findByRole('group', { name: 'Pilih berkas' });
    fireEvent.drop(zone, { dataTransfer: { files: [file('jatuh.csv')] } });
    expect(await (await drawer()).findByText(/^jatuh\.csv: 3 baris/)).toBeTruthy();
  });

  it('asks before it is lost, however somebody leaves', async () => {
    const { router } = show(MAY, '/drivers?open=import');
    await choose();
    await (await drawer()).findByText(/^sopir\.csv: 3 baris/);
    await userEvent.keyboard('{Escape}');
    await userEvent.click(await screen.findByRole('button', { name: 'Tetap di sini' }));
    expect((await drawer()).getByText(/^sopir\.csv: 3 baris/)).toBeTruthy();
    void router.navigate('/drivers');
    await userEvent.click(await screen.findByRole('button', { name: 'Buang' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('matching the columns', () => {
  it('begins as the server understood them, and says what is missing', async () => {
    show(MAY, '/drivers?open=import');
    await choose();
    const form = await drawer();
    const phone = await form.findByRole<HTMLInputElement>('combobox', { name: 'Isian untuk kolom Telepon' });
    expect(phone.value).toBe('Telepon');
    expect(form.getByText('Siti · Agus')).toBeTruthy();
    expect(form.getByText(/masih diperlukan: Nama\./)).toBeTruthy();
    expect(form.getByRole<HTMLButtonElement>('button', { name: 'Periksa' }).disabled).toBe(true);
    // Who changes what there is needs no name.
    await pickField('Lain', /^ID$/);
    await waitFor(() => expect(form.queryByText(/masih diperlukan/)).toBeNull());
    // A field is one column: the last one that was told.
    await pickField('Sopir', /^ID$/);
    await userEvent.click(form.getByRole('button', { name: 'Periksa' }));
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]?.query.getAll('column')).toEqual(['id', 'phone', '-']);
    expect(asked[0]?.query.get('mode')).toBe('dry_run');
    expect(asked[0]?.type).toBe('text/csv');
    expect(asked[0]?.body).toContain('Siti,0812');
  });

  it('asks what is doubtful, names what is passed over, and looks where somebody says', async () => {
    const seen: URLSearchParams[] = [];
    preview = {
      ...PREVIEW,
      columns: [
        { heading: 'No.', samples: ['1'], field: '', is_running_number: true },
        { heading: 'Kontak', samples: ['0812'], field: '', candidates: ['name', 'phone'] },
        { heading: 'Nama', samples: ['Siti'], field: 'name' },
      ],
      sheets: ['Catatan', 'Sopir'],
      sheet: 'Catatan',
      heading_row: 3,
      top_rows: [
        { row: 1, cells: ['PT Maju'] },
        { row: 3, cells: ['No.', 'Kontak', 'Nama'] },
      ],
    };
    server.use(
      http.post(at('/api/v1/drivers/import/preview'), ({ request }) => {
        seen.push(new URL(request.url).searchParams);
        return HttpResponse.json(preview);
      }),
    );
    show(MAY, '/drivers?open=import');
    await choose();
    const form = await drawer();
    expect(await form.findByText(/Pilih arti kolom ini: Kontak\./)).toBeTruthy();
    expect(form.getByText('Dilewati: No.')).toBeTruthy();
    const contact = form.getByRole<HTMLInputElement>('combobox', { name: /kolom Kontak/ });
    expect(contact.placeholder).toBe('Mungkin Nama / Telepon');
    await userEvent.click(form.getByRole('combobox', { name: 'Lembar kerja' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Sopir' }));
    await waitFor(() => expect(seen.at(-1)?.get('sheet')).toBe('Sopir'));
    await userEvent.click((await drawer()).getByRole('combobox', { name: 'Baris judul kolom' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Baris 1: PT Maju' }));
    await waitFor(() => expect(seen.at(-1)?.get('heading_row')).toBe('1'));
    await userEvent.click((await drawer()).getByRole('button', { name: 'Periksa' }));
    await waitFor(() => expect(asked).toHaveLength(1));
    expect([asked[0]?.query.get('sheet'), asked[0]?.query.get('heading_row')]).toEqual(['Catatan', '1']);
  });

  it('keeps what was told when the same columns come again, corrected', async () => {
    await toCheck();
    await press('Kembali');
    await press('Kembali');
    await choose(file('benar.csv'));
    const name = await (await drawer()).findByRole<HTMLInputElement>('combobox', { name: /kolom Sopir/ });
    expect(name.value).toMatch(/^Nama/);
  });

  it('stays when the file cannot be tried out', async () => {
    server.use(http.post(at('/api/v1/drivers/import'), () => HttpResponse.error()));
    await tryOut();
    expect((await (await drawer()).findByRole('alert')).textContent).toContain('Server tidak dapat dihubungi');
    expect((await drawer()).getByRole<HTMLInputElement>('combobox', { name: /kolom Sopir/ }).value).toMatch(/^Nama/);
  });
});

describe('a file that is tried out', () => {
  beforeEach(() => {
    trial = { ...trial, status: 'queued', total: 2000, done: 0 };
  });

  it('says how far that is, whatever is lost on the way, and then what was found', async () => {
    await tryOut();
    const form = await drawer();
    expect(await form.findByText('Menunggu giliran')).toBeTruthy();
    expect(document.activeElement).toBe(form.getByRole('heading', { name: 'Memeriksa berkas' }));
    trial = { ...trial, status: 'running', done: 990, failed: 10 };
    const said = await form.findByText('1.000 dari 2.000 baris diperiksa');
    expect(said.closest('[role=status]')).toBeTruthy();
    expect(form.getByRole('progressbar', { name: 'Memeriksa berkas' }).ariaValueNow).toBe('50');
    server.use(http.get(at('/api/v1/jobs/fleet/trial-1'), () => HttpResponse.error(), { once: true }));
    trial = { ...trial, status: 'completed', done: 2000, failed: 0 };
    expect(await form.findByText('Berkas ini tidak memiliki kesalahan.')).toBeTruthy();
    expect(document.activeElement).toBe(form.getByRole('heading', { name: 'Hasil pemeriksaan' }));
    expect(form.queryByRole('progressbar')).toBeNull();
    expect(stopped).toEqual([]);
  });

  it('is stopped by hand, which leads back to the columns', async () => {
    await tryOut();
    await press('Hentikan pemeriksaan');
    expect(await (await drawer()).findByText('Langkah 2 dari 3: Kolom')).toBeTruthy();
    await waitFor(() => expect(stopped).toEqual(['trial-1']));
  });

  it('is stopped with the drawer', async () => {
    const { router } = await tryOut();
    await (await drawer()).findByText('Menunggu giliran');
    void router.navigate('/drivers');
    await userEvent.click(await screen.findByRole('button', { name: 'Buang' }));
    await waitFor(() => expect(stopped).toEqual(['trial-1']));
  });

  it.each([
    ['failed', 'Layanan ini sedang tidak tersedia.', 'Layanan ini sedang tidak tersedia.'],
    ['cancelled', undefined, 'Pemeriksaan berhenti sebelum selesai. Kembali, lalu periksa lagi.'],
  ] as const)('may end without a report: %s', async (status, message, said) => {
    trial = { ...trial, status, message };
    await tryOut();
    expect((await (await drawer()).findByRole('alert')).textContent).toBe(said);
    expect((await drawer()).queryByRole('button', { name: /^Impor/ })).toBeNull();
    await press('Kembali');
    expect((await drawer()).getByText('Langkah 2 dari 3: Kolom')).toBeTruthy();
    expect(stopped).toEqual([]);
  });

  it('may be gone', async () => {
    server.use(
      http.get(at('/api/v1/jobs/fleet/trial-1'), () =>
        HttpResponse.json({ error: 'not_found', message: 'Pekerjaan ini tidak ada.' }, { status: 404 }),
      ),
    );
    await tryOut();
    expect((await (await drawer()).findByRole('alert')).textContent).toBe('Pekerjaan ini tidak ada.');
  });
});

describe('what was found', () => {
  it('is all right: the file is taken in as a job, which can be taken back', async () => {
    const undo = { ...job, id: 'job-2', kind: 'undo', action: 'undo' };
    server.use(
      http.post(at('/api/v1/jobs/fleet/job-1/undo'), () => HttpResponse.json(undo, { status: 202 })),
      http.get(at('/api/v1/jobs/fleet/job-2'), () => HttpResponse.json(undo)),
    );
    await toCheck();
    expect((await drawer()).getByText('Berkas ini tidak memiliki kesalahan.')).toBeTruthy();
    await press('Impor 3 baris');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(asked.map(({ query }) => query.get('mode'))).toEqual(['dry_run', 'all']);
    const tray = within(await screen.findByRole('region', { name: 'Proses' }));
    expect(tray.getByText('Impor pengemudi: sopir.csv')).toBeTruthy();
    expect(await tray.findByText('1 dari 3')).toBeTruthy();
    expect(tray.queryByRole('button', { name: 'Urungkan' })).toBeNull();
    job = { ...job, status: 'completed', done: 3, can_be_undone: true };
    await userEvent.click(await tray.findByRole('button', { name: 'Urungkan' }));
    const question = within(await screen.findByRole('dialog', { name: 'Urungkan ini?' }));
    await userEvent.click(question.getByRole('button', { name: 'Urungkan' }));
    expect(await tray.findByText('Urungkan perubahan pengemudi')).toBeTruthy();
    expect(await tray.findByText('Diurungkan')).toBeTruthy();
    dismissJob('job-2');
  });

  it('names each wrong cell, page by page; what is right is taken in after a question', async () => {
    const errors = Array.from({ length: 30 }, (_, index) => ({
      row: index + 2,
      name: `Sopir ${index + 2}`,
      message: 'Periksa isian yang ditandai.',
      fields: index === 0 ? { license_number: 'Salah.', phone: 'Terlalu panjang.', name: 'Kosong.' } : undefined,
    }));
    report = { creates: 2, updates: 1, deletes: 1, failed: 600, errors };
    await toCheck();
    const form = await drawer();
    const row = within(await form.findByRole('row', { name: /Sopir 2 / }));
    expect(row.getByText(/Terlalu panjang\./)).toBeTruthy();
    // As the columns of the file stand, and then what it does not have.
    const told = row.getAllByText(/:$/).map(({ textContent }) => textContent);
    expect(told).toEqual(['Nama:', 'Telepon:', 'Nomor SIM:']);
    expect(form.getByText('30 pertama dari 600 baris yang salah ditampilkan.')).toBeTruthy();
    expect(form.queryByText('Sopir 27')).toBeNull();
    await userEvent.click(form.getByRole('button', { name: '2' }));
    expect(form.getByText('Sopir 27')).toBeTruthy();
    await userEvent.click(form.getByRole('button', { name: 'Impor 4 baris yang benar' }));
    const question = within(await screen.findByRole('dialog', { name: 'Impor 4 baris?' }));
    expect(question.getByText(/600 baris yang salah tidak diimpor\. 1 pengemudi akan dihapus\./)).toBeTruthy();
    expect(asked).toHaveLength(1);
    await userEvent.click(question.getByRole('button', { name: 'Impor 4 baris yang benar' }));
    await waitFor(() => expect(asked.map(({ query }) => query.get('mode'))).toEqual(['dry_run', 'valid']));
  });

  it('is made where it is missing, and completed where zeros are, on a tick', async () => {
    const missing = [
      { field: 'license_class', count: 25, names: ['B1', 'B2'], may_create: true },
      { field: 'home_base', count: 1, names: ['Cakung'], may_create: false },
    ];
    trial = { ...trial, missing };
    const fields = { phone: 'Nol hilang?', license_number: 'Salah.' };
    const error = {
      row: 2,
      name: 'Siti',
      message: '',
      fields,
      values: { phone: '123' },
      proposals: { phone: '00123' },
    };
    report = { creates: 2, updates: 0, deletes: 0, failed: 1, errors: [error] };
    await toCheck();
    const form = await drawer();
    const row = within(form.getByRole('row', { name: /Siti/ }));
    expect(row.getByText('123')).toBeTruthy();
    expect(row.getByText(/Usulan: 00123\./)).toBeTruthy();
    // As the form calls it.
    expect(row.getByText('Nomor SIM:')).toBeTruthy();
    expect(form.getByText('Golongan SIM (25): B1, B2, dan lainnya')).toBeTruthy();
    expect(form.getByText('Anda tidak diizinkan membuatnya; minta admin.')).toBeTruthy();
    await userEvent.click(form.getByRole('checkbox', { name: /Buat yang belum ada/ }));
    await waitFor(() => expect(asked.map(({ query }) => query.get('create_missing'))).toEqual([null, 'true']));
    await userEvent.click(await form.findByRole('radio', { name: 'Tambahkan nol' }));
    await waitFor(() => expect(asked.map(({ query }) => query.get('proposals'))).toEqual([null, null, 'take']));
    await press('Impor 2 baris yang benar');
    const question = within(await screen.findByRole('dialog', { name: 'Impor 2 baris?' }));
    await userEvent.click(question.getByRole('button', { name: 'Impor 2 baris yang benar' }));
    await waitFor(() => expect(asked).toHaveLength(4));
    expect([asked[3]?.query.get('create_missing'), asked[3]?.query.get('proposals')]).toEqual(['true', 'take']);
  });

  it('is nothing that could be taken in: only another file leads on', async () => {
    const errors = [{ row: 2, name: '', message: 'Sudah dipakai.' }];
    report = { creates: 0, updates: 0, deletes: 0, failed: 1, errors };
    await toCheck();
    const form = await drawer();
    expect(await form.findByText('Sudah dipakai.')).toBeTruthy();
    expect(form.queryByRole('button', { name: /^Impor/ })).toBeNull();
    await userEvent.click(form.getByRole('button', { name: 'Pilih berkas yang sudah diperbaiki' }));
    expect(await form.findByText('Langkah 1 dari 3: Berkas')).toBeTruthy();
  });

  it('is checked once more before all of it is taken in, and refused when somebody was faster', async () => {
    await toCheck();
    job = { ...job, is_trial: true };
    await press('Impor 3 baris');
    const tray = within(await screen.findByRole('region', { name: 'Proses' }));
    expect(await tray.findByText('1 dari 3 baris diperiksa')).toBeTruthy();
    const message = 'Ada baris yang salah, jadi tidak ada yang diimpor.';
    job = { ...job, status: 'failed', done: 2, failed: 1, error: 'import_refused', message };
    expect(await tray.findByText(`Gagal: ${message}`)).toBeTruthy();
    expect(tray.getByRole('link', { name: 'Lihat yang gagal' })).toBeTruthy();
    expect(tray.queryByRole('button', { name: 'Urungkan' })).toBeNull();
  });
});
