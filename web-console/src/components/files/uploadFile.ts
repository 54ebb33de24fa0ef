import { direct, type Dispatch } from '@/api/direct';
import { normaliseError, type ApiError } from '@/api/errors';
import type { File as StoredFile, StorageUsage } from '@/api/generated';
import { serialiseParams } from '@/api/baseQuery';
import type { WithSession } from '@/session/sessionSlice';

/** What is taken in; the server looks at the content. */
export const ACCEPTED = 'application/pdf,image/jpeg,image/png,image/webp';

interface Sent {
  file: File;
  /** Whose it shall be, where a platform owner says so. */
  tenantId: string | undefined;
  signal: AbortSignal;
  /** From 0 to 100. */
  onProgress: (percent: number) => void;
}

interface Uploaded {
  data?: StoredFile;
  error?: ApiError;
}

/** How much room there is for files. A call of its own, so that the token is good for the longer one that follows. */
export const storageUsage = (tenantId: string | undefined, signal: AbortSignal) =>
  direct<StorageUsage>({ url: '/api/v1/files/usage', params: { tenant_id: tenantId } }, signal);

/** Sends a file. The browser tells how far it is of this kind of request alone. */
export const uploadFile =
  ({ file, tenantId, signal, onProgress }: Sent) =>
  (_dispatch: Dispatch, getState: () => unknown): Promise<Uploaded> =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest();
      const query = serialiseParams({ name: file.name, tenant_id: tenantId });
      request.open('POST', `${window.location.origin}/api/v1/files?${query}`);
      const { token } = (getState() as WithSession).session;
      if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
      request.setRequestHeader('accept-language', document.documentElement.lang);
      request.setRequestHeader('content-type', file.type || 'application/octet-stream');
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? (loaded / total) * 100 : 0);
      const unanswered = () => resolve({ error: normaliseError({ status: 'FETCH_ERROR', error: 'no answer' }) });
      request.onerror = unanswered;
      request.onabort = unanswered;
      request.onload = () => resolve(answerOf(request));
      signal.addEventListener('abort', () => request.abort());
      request.send(file);
    });

function answerOf({ status, responseText }: XMLHttpRequest): Uploaded {
  let data: unknown = responseText;
  try {
    data = JSON.parse(responseText);
  } catch {
    // What is no JSON is told as it came.
  }
  return status === 201 ? { data: data as StoredFile } : { error: normaliseError({ status, data }) };
}
