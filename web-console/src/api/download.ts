import type { FetchArgs } from '@reduxjs/toolkit/query';
import { direct, type DirectResult, type Dispatch } from './direct';
import { REQUEST_TIMEOUT_MS } from './requestTimeout';

/** A file that the server made. */
export interface DownloadedFile {
  name: string;
  content: Blob;
}

interface DownloadOptions {
  signal: AbortSignal;
  /** Bytes that have come. */
  onProgress: (bytes: number) => void;
}

type Part = Uint8Array<ArrayBuffer>;

interface StreamOptions {
  signal: AbortSignal;
  /** Takes each part of the body as it comes. */
  onPart: (part: Part) => void;
}

/** Fetches a file with the session's token; its name comes from the server. */
export const download =
  (args: FetchArgs, { signal, onProgress }: DownloadOptions) =>
  async (dispatch: Dispatch): Promise<DirectResult<DownloadedFile>> => {
    const parts: Part[] = [];
    let bytes = 0;
    const onPart = (part: Part) => {
      parts.push(part);
      bytes += part.length;
      onProgress(bytes);
    };
    const { data: headers, error } = await dispatch(readStream(args, { signal, onPart }));
    if (!headers) return { error };
    const type = headers.get('content-type') ?? '';
    return { data: { name: nameIn(headers.get('content-disposition')), content: new Blob(parts, { type }) } };
  };

/** Reads the body of an answer as it comes, with the session's token; what it comes to are the headers. */
export const readStream =
  (args: FetchArgs, options: StreamOptions) =>
  async (dispatch: Dispatch): Promise<DirectResult<Headers>> => {
    const watch = watchForStandstill(options.signal);
    const onPart = (part: Part) => {
      watch.moves();
      options.onPart(part);
    };
    const responseHandler = (response: Response) => (response.ok ? readParts(response, onPart) : readError(response));
    try {
      // A large file takes longer than other calls; what ends it is that nothing comes any more.
      const call = direct<Headers>({ ...args, responseHandler, timeout: 0 }, watch.signal);
      const { data, error } = await dispatch(call);
      return { data, error };
    } finally {
      watch.end();
    }
  };

/** A signal that stops a call when somebody stops it, or when nothing has come for as long as other calls may take. */
function watchForStandstill(stopped: AbortSignal) {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const moves = () => {
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(new DOMException('nothing came', 'TimeoutError')), REQUEST_TIMEOUT_MS);
  };
  const stop = () => abort.abort(stopped.reason);
  if (stopped.aborted) stop();
  stopped.addEventListener('abort', stop);
  moves();
  const end = () => {
    clearTimeout(timer);
    stopped.removeEventListener('abort', stop);
  };
  return { signal: abort.signal, moves, end };
}

async function readParts(response: Response, onPart: (part: Part) => void): Promise<Headers> {
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) onPart(part.value);
  return response.headers;
}

async function readError(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The name in a `Content-Disposition`; the encoded one where there is one. */
function nameIn(disposition: string | null): string {
  const encoded = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  const plain = /filename\s*=\s*"?([^";]+)"?/i.exec(disposition ?? '')?.[1];
  try {
    return encoded ? decodeURIComponent(encoded) : (plain?.trim() ?? 'armada');
  } catch {
    return plain?.trim() ?? 'armada';
  }
}

/** Hands a file to the browser, which puts it where downloads go. */
export function saveFile({ name, content }: DownloadedFile): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has taken it once it has begun, which it does not tell.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
