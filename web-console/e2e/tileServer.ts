import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of map tiles, all of which are one picture. */
export class TileServer {
  /** The paths that it was asked for. */
  readonly asked: string[] = [];

  private readonly server: Server;

  private constructor(picture: Uint8Array) {
    this.server = createServer((request, response) => {
      this.asked.push(request.url ?? '');
      response.setHeader('content-type', 'image/png').end(picture);
    });
  }

  static async open(picture: Uint8Array): Promise<TileServer> {
    const tiles = new TileServer(picture);
    tiles.server.listen(0, '127.0.0.1');
    await once(tiles.server, 'listening');
    return tiles;
  }

  /** The address of its tiles, for who fills in which. */
  get template(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/{z}/{x}/{y}.png`;
  }

  /** Nobody gets an answer from now on. */
  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
