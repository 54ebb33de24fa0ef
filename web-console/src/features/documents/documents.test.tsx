import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import type { Document, File as StoredFile } from '@/api/generated';
import { uploadFile } from '@/components/files/uploadFile';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import resource from './documents.resource';

setUpTestServer();

const scan: StoredFile = {
  id: 'file-1',
  name: 'stnk.pdf',
  kind: 'pdf',
  size: 1024,
  sha256: '',
  created_at: '2026-11-01T00:00:00Z',
};
const stnk: Document = {
  id: 'document-1',
  tenant_id: 'tenant-1',
  kind: 'stnk',
  name: 'STNK-1',
  number: 'STNK-1',
  subject: 'vehicle',
  subject_name: 'Truk Cakung',
  subject_code: 'B 9120 KXT',
  issued_on: '',
  expires_on: '2026-12-04',
  state: 'expiring',
  days_left: 10,
  reminder_days: '30,7',
  notes: '',
  files: [scan],
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  row_version: 1,
};

function admin() {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions: ['document:list', 'document:create', 'document:update'] })));
  return store;
}

describe('the list of documents', () => {
  it('tells whose each one is, how long it is good, and how many files it has', async () => {
    const summary = { total: 1, valid: 0, expiring: 1, expired: 0, none: 0 };
    server.use(
      http.get(at('/api/v1/documents'), () => HttpResponse.json({ items: [stnk], total: 1 })),
      http.get(at('/api/v1/documents/summary'), () => HttpResponse.json(summary)),
    );
    renderAt(<ResourceListPage resource={resource} />, '/documents', admin());
    const row = within(await screen.findByRole('row', { name: /Truk Cakung/ }));
    expect(row.getByText('B 9120 KXT')).toBeTruthy();
    expect(row.getByText(/10 hari/)).toBeTruthy();
    expect(row.getByText('1 berkas')).toBeTruthy();
  });
});

describe('a file on its way', () => {
  it('is waited for before anything is saved, and not left without a question', async () => {
    const usage = { used_bytes: 0, limit_bytes: 1e9, file_limit_bytes: 1e7 };
    server.use(
      http.get(at('/api/v1/documents'), () => HttpResponse.json({ items: [stnk], total: 1 })),
      http.get(at('/api/v1/documents/summary'), () => HttpResponse.json({ total: 1 })),
      http.get(at('/api/v1/documents/:id'), () => HttpResponse.json(stnk)),
      http.get(at('/api/v1/files/usage'), () => HttpResponse.json(usage)),
      http.post(at('/api/v1/files'), () => new Promise<never>(() => undefined)),
    );
    renderAt(<ResourceListPage resource={resource} />, '/documents?open=document-1', admin());
    const form = within(await screen.findByRole('dialog'));
    await form.findByRole('button', { name: 'Pilih berkas' });
    const chooser = document.querySelector('input[type=file]') as HTMLInputElement;
    await userEvent.upload(chooser, new File(['%PDF-1.7'], 'baru.pdf', { type: 'application/pdf' }));
    await form.findByRole('progressbar');
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    expect(await form.findByText('Berkas masih diunggah. Tunggu sampai selesai, lalu simpan.')).toBeTruthy();
    await userEvent.click(form.getByRole('button', { name: 'Batal' }));
    expect(await screen.findByRole('button', { name: 'Buang' })).toBeTruthy();
  });

  const send = (file: File) => {
    const onProgress = vi.fn();
    const upload = uploadFile({ file, tenantId: 'tenant-2', signal: new AbortController().signal, onProgress });
    return admin().dispatch(upload);
  };

  it('goes as it is, with its name and whose it shall be', async () => {
    let asked: { name: string | null; tenant: string | null; type: string | null } | undefined;
    server.use(
      http.post(at('/api/v1/files'), ({ request }) => {
        const { searchParams } = new URL(request.url);
        const type = request.headers.get('content-type');
        asked = { name: searchParams.get('name'), tenant: searchParams.get('tenant_id'), type };
        return HttpResponse.json(scan, { status: 201 });
      }),
    );
    expect(await send(new File(['%PDF-1.7'], 'stnk.pdf', { type: 'application/pdf' }))).toEqual({ data: scan });
    expect(asked).toEqual({ name: 'stnk.pdf', tenant: 'tenant-2', type: 'application/pdf' });
  });

  it('comes back with the reason when it is refused', async () => {
    const refusal = { error: 'invalid', message: 'Periksa isian.', fields: { file: 'Bukan PDF atau gambar.' } };
    server.use(http.post(at('/api/v1/files'), () => HttpResponse.json(refusal, { status: 422 })));
    const { data, error } = await send(new File(['<html>'], 'stnk.pdf', { type: 'application/pdf' }));
    expect(data).toBeUndefined();
    expect(error).toMatchObject({ status: 422, payload: refusal });
  });
});
