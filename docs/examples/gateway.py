"""A GPS gateway that loses nothing: it keeps each fix until Armada has said what became of it.

    pip install nats-py
    python3 gateway.py nats://127.0.0.1:4222 local < fixes.ndjson

Each line of the input is a fix with the IMEI of its device: {"imei": "356307042441013", "recorded_at": …, "lat": …,
"lng": …}. A real gateway keeps the queues in a file: what a tracker was told to forget must outlast a restart.
"""

import asyncio
import json
import sys
from collections import defaultdict, deque

import nats
import nats.errors


async def deliver(nc, gateway, imei, fixes):
    """The fixes of one device in their order: the next one leaves when the last one is answered."""
    while fixes:
        try:
            reply = await nc.request(f"gps.{gateway}.{imei}", json.dumps(fixes[0]).encode(), timeout=5)
        except (nats.errors.Error, asyncio.TimeoutError):
            await asyncio.sleep(0.2)  # nobody there, or no answer: sent again, it is stored once all the same
            continue
        answer = json.loads(reply.data)
        if "retry_after_ms" in answer:
            await asyncio.sleep(answer["retry_after_ms"] / 1000)
            continue
        fixes.popleft()
        for rejected in answer.get("rejected", []):
            print(f"{imei}: {rejected['reason']} {rejected.get('field', '')}", file=sys.stderr)


async def main(url, gateway):
    # Answers come below the inbox of the gateway. The one without a name, `local`, has the ordinary inbox.
    inbox = "_INBOX" if gateway == "local" else f"_INBOX_{gateway}"
    nc = await nats.connect(url, inbox_prefix=inbox, max_reconnect_attempts=-1, reconnect_time_wait=0.2)
    devices = defaultdict(deque)
    for line in sys.stdin:
        fix = json.loads(line)
        devices[fix.pop("imei")].append(fix)
    await asyncio.gather(*(deliver(nc, gateway, imei, fixes) for imei, fixes in devices.items()))
    await nc.close()


asyncio.run(main(*sys.argv[1:3]))
