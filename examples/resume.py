#!/usr/bin/env python3
"""Reads one URL of Tarpon to its end, over broken connections and restarts of the gateway.

usage: resume.py URL > epoch.tar        or, from Python: tarfile.open(fileobj=resume.open(url), mode="r|")
"""
import http.client
import io
import shutil
import sys
import time
import urllib.error
import urllib.request


class Resumed(io.RawIOBase):
    """The bytes behind a URL as a file. Gives up when no byte came for `patience` seconds."""

    def __init__(self, url, patience=300):
        self.url, self.patience = url, patience
        self.at, self.length, self.etag, self.headers, self.answer = 0, None, None, {}, None

    def readable(self):
        return True

    def connect(self):
        known = {"Range": f"bytes={self.at}-", "If-Range": self.etag} if self.etag else {}
        answer = urllib.request.urlopen(urllib.request.Request(self.url, headers=known), timeout=60)
        if self.etag and answer.status != 206:
            raise RuntimeError(f"{self.url} has other bytes than before")
        if not self.etag:  # The first answer says which version `latest` is.
            self.url, self.etag, self.headers = answer.url, answer.headers["ETag"], answer.headers
            self.length = int(answer.headers["Content-Length"])
        return answer

    def readinto(self, buffer):
        deadline = time.monotonic() + self.patience
        while self.length is None or self.at < self.length:
            try:
                self.answer = self.answer or self.connect()
                if count := self.answer.readinto(buffer):
                    self.at += count
                    return count
                raise ConnectionError(f"{self.url} broke off at byte {self.at} of {self.length}")
            except (OSError, http.client.HTTPException) as e:
                if isinstance(e, urllib.error.HTTPError) and e.code != 503 or time.monotonic() > deadline:
                    raise
                print(f"again from byte {self.at}: {e}", file=sys.stderr)
                self.answer = None
                time.sleep(1)
        return 0


def open(url):
    return io.BufferedReader(Resumed(url), 1 << 20)


if __name__ == "__main__":
    shutil.copyfileobj(open(sys.argv[1]), sys.stdout.buffer)
