import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The name under which it knows Armada, and the password that goes with it. */
export const CLIENT = { id: 'armada', secret: 'a secret of the provider' };

const encoded = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A provider of identities (OpenID Connect 1.0, code flow with PKCE) that takes whoever comes for one person. */
export class Provider {
  /** Whose address it vouches for. */
  email = '';

  private readonly server: Server;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private asked = new URLSearchParams();

  private constructor() {
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  static async open(): Promise<Provider> {
    const provider = new Provider();
    provider.server.listen(0, '127.0.0.1');
    await once(provider.server, 'listening');
    return provider;
  }

  /** Another site than Armada's `127.0.0.1`, as a provider is. */
  get issuer(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    const json = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return void json({
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          jwks_uri: `${this.issuer}/jwks`,
        });
      case '/jwks':
        return void json({
          keys: [{ ...this.keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }],
        });
      case '/authorize':
        this.asked = url.searchParams;
        return void response.setHeader('content-type', 'text/html').end(this.page());
      case '/token':
        return void (this.isGood(new URLSearchParams(await text(request)))
          ? json({ access_token: 'x', token_type: 'Bearer', id_token: this.idToken() })
          : response.writeHead(400).end());
      default:
        return void response.writeHead(404).end();
    }
  }

  private page(): string {
    const back = new URL(this.asked.get('redirect_uri') ?? '');
    const [yes, no] = [new URL(back), new URL(back)];
    yes.search = new URLSearchParams({ code: 'the code', state: this.asked.get('state') ?? '' }).toString();
    no.search = new URLSearchParams({ error: 'access_denied', state: this.asked.get('state') ?? '' }).toString();
    const link = (url: URL, words: string) => `<a href="${url.href.replaceAll('&', '&amp;')}">${words}</a>`;
    return `<!doctype html><title>Provider</title><h1>Who are you?</h1><p>${link(yes, 'Go on')} ${link(no, 'Refuse')}</p>`;
  }

  /** RFC 6749 §4.1.3, with the proof of RFC 7636 §4.6. */
  private isGood(form: URLSearchParams): boolean {
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return form.get('code') === 'the code' && proof === this.asked.get('code_challenge');
  }

  private idToken(): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.issuer,
      aud: CLIENT.id,
      sub: this.email,
      iat: now,
      exp: now + 300,
      nonce: this.asked.get('nonce'),
      email: this.email,
      email_verified: true,
    };
    const input = `${encoded({ alg: 'ES256', kid: 'one', typ: 'JWT' })}.${encoded(claims)}`;
    const signature = sign('sha256', Buffer.from(input), { key: this.keys.privateKey, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  }
}
