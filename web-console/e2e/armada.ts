import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, test as base } from '@playwright/test';
import { connect, type Msg } from '@nats-io/transport-node';

/** The first person of a fresh Armada. */
export const OWNER = { email: 'owner@example.test', password: 'a long first password' };

const REPOSITORY = resolve(import.meta.dirname, '../..');
const READY_TIMEOUT_MS = 60_000;

/** A fix as a gateway publishes it. */
export interface Fix {
  lat: number;
  lng: number;
  speed: number;
  course?: number;
  /** Metres. */
  odometer?: number;
  ignition?: boolean;
  /** Litres. */
  fuel_liter?: number;
  /** Percent. */
  fuel_percent?: number;
  /** Satellites. */
  sat?: number;
  /** The name of an alarm that stands. */
  alarm?: string;
  /** RFC 3339; now when it is not said. */
  recorded_at?: string;
}

/** Its ports, its data and whether it has a demonstration, which stay the same when it is started again. */
interface Place {
  http: number;
  admin: number;
  nats: number;
  dataDir: string;
  demo: boolean;
}

/** A running armada with data of its own. It can be killed and started again in the same place. */
export class Armada {
  readonly url: string;
  private child: ChildProcess | null = null;
  private output = '';

  private readonly place: Place;

  private constructor(place: Place) {
    this.place = place;
    this.url = `http://127.0.0.1:${place.http}`;
  }

  /**
   * `config` is what would stand in a configuration file, with `{url}` for the address of this Armada; `demo` says whether
   * it has the demonstration.
   */
  static async start(config: string, demo: boolean): Promise<Armada> {
    const [http = 0, admin = 0, nats = 0] = await freePorts(3);
    const dataDir = await mkdtemp(join(tmpdir(), 'armada-e2e-'));
    const armada = new Armada({ http, admin, nats, dataDir, demo });
    try {
      await writeFile(armada.configFile, config.replaceAll('{url}', armada.url));
      await armada.run();
    } catch (error) {
      await armada.stop();
      throw error;
    }
    return armada;
  }

  /** Starts the process and waits until it says that it is ready. */
  async run(): Promise<void> {
    const binary = process.env.ARMADA_BIN;
    if (!binary) throw new Error('ARMADA_BIN names no armada binary');
    const child = spawn(resolve(binary), ['run'], {
      // As `make run` does: the broker's program is looked for from there.
      cwd: REPOSITORY,
      env: {
        ...process.env,
        ARMADA_HTTP_ADDR: `127.0.0.1:${this.place.http}`,
        ARMADA_ADMIN_ADDR: `127.0.0.1:${this.place.admin}`,
        ARMADA_DATA_DIR: this.place.dataDir,
        ARMADA_NATS_PORT: String(this.place.nats),
        ARMADA_ADMIN_EMAIL: OWNER.email,
        ARMADA_ADMIN_PASSWORD: OWNER.password,
        ARMADA_DEMO: this.place.demo ? '1' : '0',
        ARMADA_CONFIG: this.configFile,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (text: Buffer) => (this.output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (this.output += text.toString()));
    this.child = child;
    await this.ready(child);
  }

  /** Ends the process without a chance to say goodbye. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Stops the process and removes its data. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
    await rm(this.place.dataDir, { recursive: true, force: true });
  }

  /** Puts a file into its data folder, as an operator would. */
  async put(path: string, content: Uint8Array): Promise<void> {
    const file = join(this.place.dataDir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  /** Publishes fixes of a device as a gateway would, and returns once it has heard that they are on disk. */
  async publish(imei: string, ...fixes: Fix[]): Promise<void> {
    const connection = await connect({ servers: `127.0.0.1:${this.place.nats}` });
    for (const fix of fixes) {
      const report = JSON.stringify({ recorded_at: new Date().toISOString(), ...fix });
      const replies: Msg[] = [];
      // Again and again, as gateways do: who was killed holds its partitions for three seconds more, and nobody receives.
      await expect(async () => {
        replies.push(await connection.request(`gps.local.${imei}`, report, { timeout: 10_000 }));
      }).toPass({ timeout: 15_000 });
      const answer = replies[0]?.json<{ error?: { description: string } }>();
      if (answer?.error) throw new Error(answer.error.description);
    }
    await connection.drain();
  }

  /** Has a vehicle be somewhere else at once: one fix of it would be a jump, the second one confirms it. */
  async move(imei: string, fix: Fix): Promise<void> {
    const now = Date.now();
    const at = (instant: number): Fix => ({ ...fix, recorded_at: new Date(instant).toISOString() });
    await this.publish(imei, at(now - 1), at(now));
  }

  private get configFile(): string {
    return join(this.place.dataDir, 'armada.toml');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    this.child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  private async ready(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (Date.now() < deadline) {
      if (child.exitCode !== null) throw new Error(`armada ended with ${child.exitCode}:\n${this.output}`);
      const answer = await fetch(`http://127.0.0.1:${this.place.admin}/readyz`).catch(() => null);
      if (answer?.status === 200) {
        const { checks } = (await answer.json()) as { checks: { ok: boolean }[] };
        if (checks.every((check) => check.ok)) return;
      }
      await new Promise((wait) => setTimeout(wait, 50));
    }
    throw new Error(`armada is not ready after ${READY_TIMEOUT_MS} ms:\n${this.output}`);
  }
}

/** Ports that nobody listens on at the moment, all different. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

/**
 * Tests that get an armada, which they share with all others that want the same: `config` is what stands in its file,
 * `demo` whether it has the demonstration.
 */
export const test = base.extend<object, { armada: Armada; config: string; demo: boolean }>({
  config: ['', { option: true, scope: 'worker' }],
  demo: [false, { option: true, scope: 'worker' }],
  armada: [
    async ({ config, demo }, use) => {
      const armada = await Armada.start(config, demo);
      await use(armada);
      await armada.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ armada }, use) => use(armada.url),
  page: async ({ page }, use) => {
    const hidden: string[] = [];
    await page.exposeFunction('screenWasHidden', (address: string) => hidden.push(address));
    await page.addInitScript(watchScreen);
    const unknown: string[] = [];
    page.on('response', (response) => {
      const names = response.headers()['armada-unknown-names'];
      if (names) unknown.push(`${response.request().method()} ${response.url()}: ${names}`);
    });
    await use(page);
    expect(unknown, 'the server knows every name that the console sends').toEqual([]);
    expect(hidden, 'a screen that stood was hidden because something in it was loaded').toEqual([]);
  },
});

/** Tells when React hides a whole screen, which it does while a part of it waits and has no `Suspense` of its own. */
function watchScreen(): void {
  const told = window as unknown as { screenWasHidden: (address: string) => void };
  const look = (changes: MutationRecord[]) => {
    for (const { target } of changes) {
      if (!(target instanceof HTMLElement) || target.parentElement?.id !== 'content') continue;
      if (target.style.getPropertyPriority('display') === 'important') told.screenWasHidden(location.href);
    }
  };
  const watched = { subtree: true, attributes: true, attributeFilter: ['style'] };
  new MutationObserver(look).observe(document, watched);
}

export { expect };
