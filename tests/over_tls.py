"""The real service over TLS, with a certificate made for the test."""

from __future__ import annotations

import ipaddress
import shutil
import socket
import ssl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from memdesk.api.endpoints import ENDPOINTS
from memdesk.files.places import Desk
from tests import postgres
from tests.conftest import Service
from tests.warm import Begun


def certified(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for this computer; return its file and that of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    chain, secret = folder / "chain.pem", folder / "key.pem"
    chain.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    )
    return chain, secret


class OverTls(Service):
    """The real service, also answering on a free port of the loopback."""

    def start(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        postgres.settle(self.desk)
        folder = self.desk.folder.parent
        chain, key = certified(folder)
        self.url, self.chain = f"https://localhost:{port}", chain
        words = ["serve", "--json", "--desk", str(self.desk.folder), "--listen", f"127.0.0.1:{port}"]
        self.process = Begun([*words, "--certificate", str(chain), "--key", str(key)])
        assert self._first_words(), self.process.errors()


class Member:
    """Calls of one caller."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http

    def call(self, call: str, /, **ask: Any) -> Any:
        """Make a call; return its answer, with `status` where it was refused."""
        endpoint = next(each for each in ENDPOINTS if each.name == call)
        reads = endpoint.method == "GET"
        said = self.http.request(
            endpoint.method, endpoint.path, params=ask if reads else None, json=None if reads else ask
        )
        return said.json() | ({"status": said.status_code} if said.status_code != 200 else {})

    def finished(self, call: str, /, **ask: Any) -> Any:
        """Start a long act; return its job when it has ended."""
        job = self.call(call, **ask)
        while job.get("state") in ("waiting", "running"):
            job = self.call("upkeep.job", id=job["id"])
        return job

    def heard_until(self, word: str, *, after: int) -> list[str]:
        """Follow the feed from a change on; return its lines up to the first with a word."""
        heard: list[str] = []
        with self.http.stream("GET", "/v1/history/feed", params={"after": after}) as said:
            assert said.status_code == 200, said.read()
            for line in said.iter_lines():
                heard.append(line)
                if word in line:
                    break
        return heard


@contextmanager
def team_desk() -> Iterator[tuple[OverTls, Member]]:
    """A desk served over TLS, without limits of pace, and its owner on its own computer."""
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    desk = Desk(folder / "desk")
    desk.folder.mkdir(mode=0o700)
    desk.settings.write_text("agent_reads_per_minute = 0\nagent_writes_per_minute = 0\n")
    service = OverTls(desk)
    service.start()
    headers = {"authorization": f"Bearer {desk.owner_token.read_text().strip()}"}
    transport = httpx.HTTPTransport(uds=str(desk.socket))
    with httpx.Client(transport=transport, base_url="http://desk", headers=headers, timeout=60) as http:
        yield service, Member(http)
    service.stop()
    shutil.rmtree(folder, ignore_errors=True)


def joined(service: OverTls, owner: Member, name: str, role: str, **bounds: Any) -> Member:
    """Invite a member; return its calls over the network."""
    token = owner.call("team.invite", name=name, role=role, **bounds)["token"]
    trusting = ssl.create_default_context(cafile=str(service.chain))
    headers = {"authorization": f"Bearer {token}"}
    return Member(httpx.Client(base_url=service.url, verify=trusting, headers=headers, timeout=60))
