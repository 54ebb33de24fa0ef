"""Prints each position of the fleet as a line of JSON, as it comes, and stays connected.

    pip install websockets
    export API_URL=http://127.0.0.1:8080 API_EMAIL=program@example.com API_PASSWORD=…
    python3 live.py

After a drop the newest position of each device comes again. What lies between is in history: GET …/devices/{id}/track.
"""

import json
import os
import sys
import time
import urllib.request
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

URL = os.environ["API_URL"].rstrip("/")
# The server stops, cannot go on, or is not there. 1006 is what a connection that just ended counts as.
AWAY = {1001, 1006, 1011, 1012, 1013, 1014}

token = None  # of the session, good for ten minutes
failures = 0  # since a socket was open


def post(path, body):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=15) as answer:
        return json.load(answer)


def sign_in():
    try:
        return post("/auth/login", {"email": os.environ["API_EMAIL"], "password": os.environ["API_PASSWORD"]})
    except HTTPError as error:
        if error.code in (400, 401, 403, 422):
            sys.exit(f"cannot sign in: {error.read().decode()}")  # the same password will not be right later
        raise


def listen(ticket):
    """Prints what comes until the socket closes; the close code."""
    global failures
    with connect(f"{URL.replace('http', 'ws', 1)}/ws?token={quote(ticket)}&context=maps") as socket:
        failures = 0
        try:
            while True:
                # The server pings every 30 s: whoever hears nothing for so long has lost it.
                message = json.loads(socket.recv(timeout=75))
                if message["type"] == "ping":
                    socket.send('{"type": "pong"}')
                elif message["type"] == "position":
                    print(json.dumps(message["position"]), flush=True)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006


while failures < 1_000_000:
    wait = 0
    try:
        token = token or sign_in()["token"]
        code = listen(post("/api/v1/ws-ticket", {})["ticket"])  # a ticket is for one socket
    except HTTPError as error:
        print(f"{error.url}: {error.code}", file=sys.stderr)
        code = 1008 if error.code == 401 else 1006 if error.code >= 500 else 0
        wait = int(error.headers.get("Retry-After") or 0)
    except (OSError, HTTPException, WebSocketException) as error:
        print(error, file=sys.stderr)
        code = 1006
    if code == 1008:
        token = None  # the session has ended: sign in anew
    failures += 1
    wait = max(wait, 5 if code in AWAY else min(2 ** min(failures - 1, 5), 30))
    print(f"not connected ({code}), again in {wait} s", file=sys.stderr)
    time.sleep(wait)
sys.exit("unable to connect to server")
