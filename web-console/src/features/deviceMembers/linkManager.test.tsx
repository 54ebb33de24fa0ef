import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeviceMember, LinkDevicesReport, LinkDevicesRequest, LinkedDevice } from '@/api/generated';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { csvOf, messageOf } from './linkReport';
import { ManagerPage } from './ManagerPage';

setUpTestServer();

const USERS = ['Sari', 'Joko', 'Budi'].map((name) => ({
  id: name.toLowerCase(),
  name,
  email: `${name.toLowerCase()}@example.test`,
}));
const member = (user: string, device: number, more: Partial<DeviceMember> = {}): DeviceMember => ({
  id: `${user}-${device}`,
  tenant_id: 'tenant-1',
  device_id: `device-${device}`,
  user_id: user,
  device_name: `Truk ${device}`,
  vehicle_code: `B ${device}`,
  imei: '356938035643809',
  role: 'owner',
  ends_on: '',
  status: 'active',
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  row_version: 1,
  ...more,
});

let links: DeviceMember[];
let asked: URLSearchParams[];
let sent: LinkDevicesRequest[];
let answer: (request: LinkDevicesRequest) => LinkDevicesReport;

beforeEach(() => {
  links = [
    ...[1, 2, 3].map((device) => member('sari', device)),
    member('budi', 8, { role: 'viewer', ends_on: '2026-12-31' }),
    member('budi', 9, { role: 'technician', status: 'ended', ends_on: '2026-01-31' }),
  ];
  asked = [];
  sent = [];
  server.use(
    http.get(at('/api/v1/device-members'), ({ request }) => {
      const search = new URL(request.url).searchParams;
      asked.push(search);
      const q = search.get('q') ?? '';
      const [users, roles] = [search.getAll('user_id'), search.getAll('role')];
      const items = links.filter(
        (each) =>
          users.includes(each.user_id) &&
          (roles.length === 0 || roles.includes(each.role)) &&
          each.device_name.includes(q),
      );
      return HttpResponse.json({ items, total: items.length });
    }),
    http.post(at('/api/v1/device-members/link'), async ({ request }) => {
      const body = (await request.json()) as LinkDevicesRequest;
      sent.push(body);
      return HttpResponse.json(answer(body));
    }),
    http.get(at('/api/v1/users'), ({ request }) => {
      const ids = new URL(request.url).searchParams.getAll('ids');
      const items = USERS.filter(({ id }) => ids.length === 0 || ids.includes(id));
      return HttpResponse.json({ items, total: items.length });
    }),
  );
});
afterEach(() => vi.restoreAllMocks());

const ALL = ['device_member:list', 'device_member:create', 'device_member:delete', 'user:list'];

function show(more = '', permissions = ALL) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return renderAt(<ManagerPage />, `/device-members/manager${more}`, store);
}

const side = async (name: RegExp) => within(await screen.findByRole('region', { name }));
const owned = () => side(/^Milik pengguna asal/);
const linkedTo = () => side(/^Dapat diakses pengguna tujuan/);
const item = (device: number, outcome: LinkedDevice['outcome']): LinkedDevice => ({
  device_id: `device-${device}`,
  device_name: `Truk ${device}`,
  vehicle_code: `B ${device}`,
  outcome,
});

describe('the link manager', () => {
  it('keeps in the address between whom links are managed', async () => {
    const { router } = show();
    expect(await screen.findByText('Pilih pengguna asal untuk melihat perangkat miliknya.')).toBeTruthy();
    await userEvent.click(screen.getByRole('combobox', { name: /^Pengguna tujuan/ }));
    await userEvent.click(await screen.findByRole('option', { name: /^Budi/ }));
    await userEvent.click(screen.getByRole('combobox', { name: /^Pengguna asal/ }));
    expect(screen.queryByRole('option', { name: /^Budi/, hidden: false })).toBeNull();
    await userEvent.click(await screen.findByRole('option', { name: /^Sari/ }));
    await userEvent.click(screen.getByRole('radio', { name: 'Teknisi' }));
    await waitFor(() => {
      const search = new URLSearchParams(router.state.location.search);
      expect([search.get('to'), search.getAll('from'), search.get('role')]).toEqual(['budi', ['sari'], 'technician']);
    });
    expect(await (await owned()).findByRole('checkbox', { name: 'Truk 3' })).toBeTruthy();
    expect(asked.find((search) => search.has('role'))?.getAll('user_id')).toEqual(['sari']);
  });

  it('shows what would come of it, does exactly that after a question, and tells of each device', async () => {
    answer = ({ dry_run: isPreview }) =>
      isPreview
        ? {
            items: [item(1, 'linked'), item(2, 'linked'), item(3, 'already_linked'), item(8, 'unlinked')],
            succeeded: 3,
            skipped: 1,
            failed: 0,
          }
        : {
            items: [item(1, 'linked'), item(2, 'forbidden'), item(3, 'already_linked'), item(8, 'not_linked')],
            succeeded: 1,
            skipped: 2,
            failed: 1,
          };
    show('?to=budi&from=sari&role=viewer&until=2026-12-31');
    await userEvent.click(await (await owned()).findByRole('checkbox', { name: 'Semuanya: 3 perangkat' }));
    expect((await owned()).getByRole<HTMLInputElement>('checkbox', { name: 'Truk 2' }).checked).toBe(true);
    await userEvent.click(await (await linkedTo()).findByRole('checkbox', { name: 'Truk 8' }));
    expect(await screen.findByText('Ditambahkan: 3. Dicabut: 1.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Pratinjau' }));

    const heading = await screen.findByRole('heading', { name: 'Pratinjau: belum ada yang diubah' });
    expect(document.activeElement).toBe(heading);
    const chosen = { user_id: 'budi', role: 'viewer', ends_on: '2026-12-31', unlinked_device_ids: ['device-8'] };
    expect(sent).toEqual([{ ...chosen, from_user_ids: ['sari'], dry_run: true }]);
    expect(screen.getByRole('button', { name: /^Akan ditambahkan\s*2$/ })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: /^Sudah punya akses\s*1$/ }));
    expect(screen.queryByRole('row', { name: /Truk 1/ })).toBeNull();
    expect(screen.getByRole('row', { name: /Truk 3/ })).toBeTruthy();

    await userEvent.click(screen.getByRole('button', { name: 'Terapkan' }));
    const question = within(await screen.findByRole('dialog', { name: 'Ubah akses Budi?' }));
    expect(question.getByText(/Akses ditambahkan: 2\. Akses dicabut: 1\./)).toBeTruthy();
    await userEvent.click(question.getByRole('button', { name: 'Terapkan' }));
    expect(await screen.findByText(/1 berhasil, 2 dilewati, 1 gagal\./)).toBeTruthy();
    expect(sent[1]).toEqual({ ...chosen, device_ids: ['device-1', 'device-2', 'device-3'] });
    const refused = within(screen.getByRole('row', { name: /Truk 2/ }));
    expect(refused.getByText('Hanya pemilik perangkat dan admin yang dapat membagikannya.')).toBeTruthy();
    const gone = within(screen.getByRole('row', { name: /Truk 8/ }));
    expect(gone.getByText('Pengguna tujuan tidak punya akses ke perangkat ini.')).toBeTruthy();

    let file = '';
    URL.createObjectURL = () => 'blob:file';
    URL.revokeObjectURL = () => undefined;
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      file = this.download;
    });
    await userEvent.click(screen.getByRole('button', { name: 'Simpan sebagai CSV' }));
    expect(file).toBe('akses-perangkat.csv');

    await userEvent.click(screen.getByRole('button', { name: 'Kembali ke daftar' }));
    expect((await owned()).getByRole<HTMLInputElement>('checkbox', { name: 'Truk 2' }).checked).toBe(false);
  });

  it('keeps what was chosen when somebody goes back, and says when nothing is to be done', async () => {
    answer = () => ({ items: [item(1, 'already_linked')], succeeded: 0, skipped: 1, failed: 0 });
    show('?to=budi&from=sari');
    await userEvent.click(await (await owned()).findByRole('checkbox', { name: 'Truk 1' }));
    await userEvent.click(screen.getByRole('button', { name: 'Pratinjau' }));
    expect(await screen.findByText('Tidak ada yang perlu dilakukan.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Terapkan' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Kembali memilih' }));
    expect((await owned()).getByRole<HTMLInputElement>('checkbox', { name: 'Truk 1' }).checked).toBe(true);
  });

  it('searches one side, and keeps what was chosen before', async () => {
    answer = () => ({ items: [], succeeded: 0, skipped: 0, failed: 0 });
    show('?to=budi&from=sari');
    const left = await owned();
    await userEvent.click(await left.findByRole('checkbox', { name: 'Truk 1' }));
    await userEvent.type(left.getByRole('searchbox'), 'Truk 3');
    await waitFor(() => expect(left.queryByRole('checkbox', { name: 'Truk 1' })).toBeNull());
    await userEvent.click(left.getByRole('checkbox', { name: 'Truk 3' }));
    await userEvent.click(screen.getByRole('button', { name: 'Pratinjau' }));
    await waitFor(() => expect(sent[0]?.device_ids).toEqual(['device-1', 'device-3']));
  });

  it('pages through ten thousand results', async () => {
    const items = Array.from({ length: 10_000 }, (_, place) => item(place, 'linked'));
    answer = () => ({ items, succeeded: items.length, skipped: 0, failed: 0 });
    show('?to=budi&from=sari');
    await userEvent.click(await (await owned()).findByRole('checkbox', { name: 'Truk 1' }));
    await userEvent.click(screen.getByRole('button', { name: 'Pratinjau' }));
    expect(await screen.findByText('1–25 dari 10.000')).toBeTruthy();
    expect(screen.getAllByRole('row')).toHaveLength(26);
    await userEvent.type(screen.getByRole('searchbox'), 'Truk 9999');
    expect(await screen.findByText('1–1 dari 1')).toBeTruthy();
  });

  it('says why nothing could be previewed', async () => {
    server.use(
      http.post(at('/api/v1/device-members/link'), () =>
        HttpResponse.json({ error: 'internal', message: 'Rusak.' }, { status: 500 }),
      ),
    );
    show('?to=budi&from=sari');
    await userEvent.click(await (await owned()).findByRole('checkbox', { name: 'Truk 1' }));
    await userEvent.click(screen.getByRole('button', { name: 'Pratinjau' }));
    expect(await screen.findByText('Gagal memberi pengguna tujuan akses ke perangkat. Rusak.')).toBeTruthy();
  });

  it('is for those who may make links, and takes none away from who may not', async () => {
    show('', ['device_member:list', 'user:list']);
    expect(await screen.findByText('Anda tidak memiliki akses ke halaman kelola akses.')).toBeTruthy();
  });

  it('lets nobody remove links without the right to', async () => {
    show(
      '?to=budi',
      ALL.filter((key) => key !== 'device_member:delete'),
    );
    const box = await (await linkedTo()).findByRole<HTMLInputElement>('checkbox', { name: 'Truk 8' });
    expect(box.disabled).toBe(true);
  });
});

describe('a report', () => {
  const counts = (succeeded: number, skipped: number, failed: number, items: LinkedDevice[] = []) => ({
    items,
    succeeded,
    skipped,
    failed,
  });

  it.each([
    [counts(2, 0, 0), false, 'done'],
    [counts(2, 1, 0), false, 'partial'],
    [counts(2, 0, 1), true, 'partial'],
    [counts(0, 1, 1), false, 'failed'],
    [counts(0, 1, 0, [item(1, 'already_linked')]), false, 'allLinked'],
    [counts(0, 1, 0, [item(1, 'already_owned')]), true, 'nothingNew'],
    [counts(0, 0, 0), true, 'nothingNew'],
    [counts(0, 1, 0, [item(1, 'not_linked')]), false, 'unchanged'],
  ])('%j from users: %s is told as %s', (report, fromUsers, name) => {
    expect(messageOf(report, fromUsers).name).toBe(name);
  });

  it('is a file without formulas', async () => {
    const text = await csvOf([['Truk "1"', '=1+1', '@x', 'B 1']]).text();
    expect(text.replace('\uFEFF', '')).toBe('"Truk ""1""","\'=1+1","\'@x","B 1"\r\n');
  });
});
