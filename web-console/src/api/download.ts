import type { FetchArgs } from '@reduxjs/toolkit/query';
import { direct, type Answered, type Dispatch } from './direct';

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

/** Fetches a file with the session's token; its name comes from the server. */
export const download =
  (args: FetchArgs, options: DownloadOptions) =>
  async (dispatch: Dispatch): Promise<Answered<DownloadedFile>> => {
    const responseHandler = (response: Response) =>
      response.ok ? readFile(response, options.onProgress) : readError(response);
    const { data, error } = await dispatch(direct<DownloadedFile>({ ...args, responseHandler }, options.signal));
    return { data, error };
  };

async function readFile(response: Response, onProgress: (bytes: number) => void): Promise<DownloadedFile> {
  const parts: BlobPart[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.push(part.value);
    bytes += part.value.length;
    onProgress(bytes);
  }
  const type = response.headers.get('content-type') ?? '';
  return { name: nameIn(response.headers.get('content-disposition')), content: new Blob(parts, { type }) };
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
