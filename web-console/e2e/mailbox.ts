import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** An email as a mail server took it. */
interface Email {
  to: string;
  /** Its first part, as plain text. */
  text: string;
}

/** How long a email may be under way. */
const SOON_MS = 20_000;

/** A mail server that keeps what it is given (RFC 5321, as little of it as is needed). */
export class Mailbox {
  private emails: Email[] = [];

  private readonly server: Server;

  private constructor() {
    this.server = createServer((socket) => void this.serve(socket));
  }

  static async open(): Promise<Mailbox> {
    const box = new Mailbox();
    box.server.listen(0, '127.0.0.1');
    await once(box.server, 'listening');
    return box;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
  }

  /** Takes the next email to an address out of the box. */
  async next(to: string): Promise<string> {
    const deadline = Date.now() + SOON_MS;
    while (Date.now() < deadline) {
      const index = this.emails.findIndex((email) => email.to === to);
      const [email] = index < 0 ? [] : this.emails.splice(index, 1);
      if (email) return email.text;
      await new Promise((wait) => setTimeout(wait, 50));
    }
    throw new Error(`no email to ${to}`);
  }

  /** The path, with the token behind `#`, of the link in the next email to an address. */
  async link(to: string): Promise<string> {
    const link = /https?:\/\/\S+#\S+/.exec(await this.next(to))?.[0];
    if (!link) throw new Error(`no link in the email to ${to}`);
    const { pathname, hash } = new URL(link);
    return pathname + hash;
  }

  private async serve(socket: Socket): Promise<void> {
    const say = (line: string) => socket.write(`${line}\r\n`);
    let to = '';
    let body: string[] | null = null;
    say('220 sink');
    for await (const line of createInterface({ input: socket })) {
      if (body) {
        if (line !== '.') {
          body.push(line.replace(/^\./, ''));
          continue;
        }
        this.emails.push({ to, text: firstPart(body.join('\r\n')) });
        body = null;
        say('250 ok');
        continue;
      }
      const command = line.split(/[ :]/)[0]?.toUpperCase();
      if (command === 'RCPT') to = /<(.*)>/.exec(line)?.[1] ?? '';
      if (command === 'DATA') body = [];
      say(
        command === 'EHLO'
          ? '250-sink\r\n250 8BITMIME'
          : command === 'DATA'
            ? '354 go on'
            : command === 'QUIT'
              ? '221 bye'
              : '250 ok',
      );
      if (command === 'QUIT') socket.end();
    }
  }
}

/** The first part of a email of several, decoded. */
function firstPart(email: string): string {
  const boundary = /boundary="([^"]+)"/.exec(email)?.[1] ?? '';
  const part = email.split(`--${boundary}`)[1] ?? '';
  const end = part.indexOf('\r\n\r\n');
  const [head, body] = [part.slice(0, end).toLowerCase(), part.slice(end + 4)];
  if (head.includes('base64')) return Buffer.from(body, 'base64').toString();
  if (!head.includes('quoted-printable')) return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
