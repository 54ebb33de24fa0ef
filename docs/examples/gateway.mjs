// A GPS gateway that loses nothing: it keeps each fix until Armada has said what became of it.
//
//     npm install @nats-io/transport-node
//     node gateway.mjs nats://127.0.0.1:4222 local < fixes.ndjson
//
// Each line of the input is a fix with the IMEI of its device: {"imei": "356307042441013", "recorded_at": …, "lat": …,
// "lng": …}. A real gateway keeps the queues in a file: what a tracker was told to forget must outlast a restart.

import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';

const [url, gateway] = process.argv.slice(2);
const { protocol, host, username: user, password: pass } = new URL(url);
const connection = await connect({
  servers: `${protocol}//${host}`,
  ...(user && { user, pass }),
  // Answers come below the inbox of the gateway. The one without a name, `local`, has the ordinary inbox.
  inboxPrefix: gateway === 'local' ? '_INBOX' : `_INBOX_${gateway}`,
  maxReconnectAttempts: -1,
  reconnectTimeWait: 200,
});

// The fixes of one device in their order: the next one leaves when the last one is answered.
async function deliver(imei, fixes) {
  while (fixes.length > 0) {
    let answer;
    try {
      const reply = await connection.request(`gps.${gateway}.${imei}`, JSON.stringify(fixes[0]), { timeout: 5000 });
      answer = reply.json();
    } catch {
      await sleep(200); // nobody there, or no answer: sent again, it is stored once all the same
      continue;
    }
    if (answer.retry_after_ms !== undefined) {
      await sleep(answer.retry_after_ms);
      continue;
    }
    fixes.shift();
    for (const { reason, field = '' } of answer.rejected ?? []) console.error(`${imei}: ${reason} ${field}`);
  }
}

const devices = new Map();
for await (const line of createInterface({ input: process.stdin })) {
  const { imei, ...fix } = JSON.parse(line);
  devices.set(imei, [...(devices.get(imei) ?? []), fix]);
}
await Promise.all([...devices].map(([imei, fixes]) => deliver(imei, fixes)));
await connection.close();
