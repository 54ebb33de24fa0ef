// Prints each position of the fleet as a line of JSON, as it comes, and stays connected. Node.js 22 needs no package;
// on Node.js 20 its WebSocket is behind a flag: node --experimental-websocket live.mjs
//
//     export API_URL=http://127.0.0.1:8080 API_EMAIL=program@example.com API_PASSWORD=…
//     node live.mjs
//
// After a drop the newest position of each device comes again. What lies between is in history:
// GET …/devices/{id}/track.

import { setTimeout as sleep } from 'node:timers/promises';

const { API_URL, API_EMAIL: email, API_PASSWORD: password } = process.env;
const base = API_URL.replace(/\/+$/, '');
// The server stops, cannot go on, or is not there. 1006 is what a connection that just ended counts as.
const AWAY = [1001, 1006, 1011, 1012, 1013, 1014];

let token; // of the session, good for ten minutes
let failures = 0; // since a socket was open

class Refused extends Error {
  constructor(path, response, text) {
    super(`${path}: ${response.status} ${text}`);
    this.status = response.status;
    this.retryAfter = Number(response.headers.get('Retry-After') ?? 0);
  }
}

async function post(path, body) {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  });
  if (!response.ok) throw new Refused(path, response, await response.text());
  return response.json();
}

async function signIn() {
  try {
    return await post('/auth/login', { email, password });
  } catch (error) {
    if (![400, 401, 403, 422].includes(error.status)) throw error;
    console.error(`cannot sign in: ${error.message}`); // the same password will not be right later
    return process.exit(1);
  }
}

// Prints what comes until the socket closes; the close code.
function listen(ticket) {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/ws?token=${encodeURIComponent(ticket)}&context=maps`);
  return new Promise((resolve) => {
    let silence;
    const end = (code) => {
      clearTimeout(silence);
      socket.onopen = socket.onmessage = socket.onerror = socket.onclose = null; // it ends once
      socket.close();
      resolve(code);
    };
    const receiveWithin = (seconds) => {
      clearTimeout(silence);
      silence = setTimeout(end, seconds * 1000, 1006);
    };
    receiveWithin(15); // a dead network does not refuse, it says nothing
    socket.onopen = () => (failures = 0);
    socket.onmessage = ({ data }) => {
      receiveWithin(75); // the server pings every 30 s: whoever hears nothing for so long has lost it
      const message = JSON.parse(data);
      if (message.type === 'ping') socket.send('{"type": "pong"}');
      else if (message.type === 'position') console.log(JSON.stringify(message.position));
    };
    socket.onclose = ({ code }) => end(code);
    socket.onerror = () => end(1006); // when no connection comes about there may be no close
  });
}

while (failures < 1_000_000) {
  let code;
  let wait = 0;
  try {
    token ??= (await signIn()).token;
    code = await listen((await post('/api/v1/ws-ticket', {})).ticket); // a ticket is for one socket
  } catch (error) {
    console.error(error.message);
    const { status = 500, retryAfter = 0 } = error;
    code = status === 401 ? 1008 : status >= 500 ? 1006 : 0;
    wait = retryAfter;
  }
  if (code === 1008) token = undefined; // the session has ended: sign in anew
  failures += 1;
  wait = Math.max(wait, AWAY.includes(code) ? 5 : Math.min(2 ** (failures - 1), 30));
  console.error(`not connected (${code}), again in ${wait} s`);
  await sleep(wait * 1000);
}
console.error('unable to connect to server');
process.exit(1);
