/** What is used of Node's modules: the console is checked without its types. */
interface Peer {
  write: (data: Uint8Array | string) => void;
  end: () => void;
  destroy: () => void;
  on: (event: 'data' | 'error', listener: () => void) => void;
}
interface HttpServer {
  on: (
    event: 'upgrade',
    listener: (request: { headers: Record<string, string | undefined> }, peer: Peer) => void,
  ) => void;
  listen: (port: number, host: string, listening: () => void) => void;
  address: () => { port: number };
  close: () => void;
}
interface Hash {
  update: (text: string) => Hash;
  digest: (encoding: 'base64') => string;
}

const nodeModule = <T>(name: string) => import(/* @vite-ignore */ name) as Promise<T>;

/** By RFC 6455: it is hashed with what a client shows. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const CLOSE = 0x88;

/** A code that no frame has: nothing is said, the connection is cut. */
export const CUT = 1006;
/** Another one: a frame that names no code. */
export const NO_CODE = 1005;

/** A WebSocket server that does nothing but close. */
export interface ClosingServer {
  url: string;
  /** Ends the newest connection as this code says. */
  close: (code: number) => void;
  stop: () => void;
}

/** Starts one on a port that is free. */
export async function closingServer(): Promise<ClosingServer> {
  const { createServer } = await nodeModule<{ createServer: () => HttpServer }>('node:http');
  const { createHash } = await nodeModule<{ createHash: (name: string) => Hash }>('node:crypto');
  const server = createServer();
  const peers: Peer[] = [];
  server.on('upgrade', ({ headers }, peer) => {
    const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${GUID}`).digest('base64');
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    peer.on('error', () => undefined);
    peer.write([...head, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'));
    peers.push(peer);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `ws://127.0.0.1:${server.address().port}`,
    close: (code) => {
      const peer = peers.at(-1);
      if (code === CUT) return peer?.destroy();
      // The client closes as well, and whoever began ends the connection.
      peer?.on('data', () => peer.end());
      peer?.write(code === NO_CODE ? Uint8Array.of(CLOSE, 0) : Uint8Array.of(CLOSE, 2, code >> 8, code & 0xff));
    },
    stop: () => {
      for (const peer of peers) peer.destroy();
      server.close();
    },
  };
}
