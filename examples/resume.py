#!/usr/bin/env python3
"""Reads one URL of Tarpon to its end, over broken connections and restarts of the gateway.

usage: resume.py URL > epoch.tar        or, from Python: tarfile.open(fileobj=resume.Resumed(url), mode="r|")
"""
import http.client
import shutil
import sys
import time
import urllib.error
import urllib.request


class Resumed:
    """The bytes behind a URL as a file to read. Gives up where no byte comes for `patience` seconds."""

    def __init__(self, url, patience=300):
        self.url, self.patience, self.at, self.headers, self.answer = url, patience, 0, None, None

    def connect(self):
        known = {"Range": f"bytes={self.at}-", "If-Range": self.headers["ETag"]} if self.headers else {}
        self.answer = urllib.request.urlopen(urllib.request.Request(self.url, headers=known), timeout=60)
        if self.headers and self.answer.status != 206:
            raise RuntimeError(f"{self.url} has other bytes than before")
        self.url = self.answer.url  # Where the first answer sent us: `latest` may be another version later.
        self.headers = self.headers or self.answer.headers

    def read(self, size=1 << 20):
        deadline = time.monotonic() + self.patience
        while not self.headers or self.at < int(self.headers["Content-Length"]):
            try:
                if not self.answer:
                    self.connect()
                if data := self.answer.read(size):
                    self.at += len(data)
                    return data
                raise ConnectionError("the connection broke off")
            except (OSError, http.client.HTTPException) as e:
                if isinstance(e, urllib.error.HTTPError) and e.code != 503 or time.monotonic() > deadline:
                    raise
                print(f"again from byte {self.at}: {e}", file=sys.stderr)
                self.answer = None
                time.sleep(1)
        return b""


if __name__ == "__main__":
    shutil.copyfileobj(Resumed(sys.argv[1]), sys.stdout.buffer, 1 << 20)
