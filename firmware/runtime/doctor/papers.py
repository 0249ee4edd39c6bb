"""Certificates and private keys as files: what stands in them, and who may read them. The door to X.509."""

from __future__ import annotations

import grp
import os
import stat
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from firmware.config import ConfigError, LinkConfig, read_plain
from firmware.runtime.doctor.readings import CertificateReading, KeyReading, PapersReading
from firmware.runtime.seals import KeyRefused, load_key


def papers(link: LinkConfig, seal: Path) -> PapersReading:
    """The files that table.toml names, and the key of the journal's seals."""
    authority = _certificate(link.ca_file) if link.ca_file else None
    own = _certificate(link.certificate) if link.certificate else None
    return PapersReading(
        _reading(link.ca_file, authority, None) if authority else None,
        _reading(link.certificate, own, authority) if own else None,
        _key(link.key, own) if link.key else None,
        _seal(seal),
    )


def _certificate(path: str) -> x509.Certificate | str:
    """The first one in a PEM file, or why there is none."""
    try:
        return x509.load_pem_x509_certificate(read_plain(Path(path)))
    except (ConfigError, ValueError) as error:
        return f"it cannot be read: {error}"


def _reading(path: str, found: x509.Certificate | str, authority: x509.Certificate | str | None) -> CertificateReading:
    if isinstance(found, str):
        return CertificateReading(path, found)
    names = found.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    return CertificateReading(
        path,
        "",
        str(names[0].value) if names else "",
        int(found.not_valid_before_utc.timestamp()),
        int(found.not_valid_after_utc.timestamp()),
        _issued(found, authority) if isinstance(authority, x509.Certificate) else None,
    )


def _issued(found: x509.Certificate, authority: x509.Certificate) -> bool:
    try:
        found.verify_directly_issued_by(authority)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def _key(path: str, certificate: x509.Certificate | str | None) -> KeyReading:
    try:
        key = load_pem_private_key(read_plain(Path(path)), None)
    except (ConfigError, ValueError, TypeError) as error:  # TypeError: it has a password
        return KeyReading(path, f"it cannot be read: {error}")
    written = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    fits = None
    if isinstance(certificate, x509.Certificate):
        fits = key.public_key().public_bytes(*written) == certificate.public_key().public_bytes(*written)
    return KeyReading(path, "", _readers(Path(path).stat()), fits)


def _readers(found: os.stat_result) -> str:
    """Readers of a key besides its owner and the group of the program itself, as felt.tmpfiles.conf gives it."""
    mode = stat.S_IMODE(found.st_mode)
    if mode & stat.S_IROTH:
        return "everybody"
    if mode & stat.S_IRGRP and found.st_gid != os.getegid():
        try:
            return f"group {grp.getgrgid(found.st_gid).gr_name}"
        except KeyError:
            return f"group {found.st_gid}"
    return ""


def _seal(path: Path) -> KeyReading:
    try:
        load_key(path)
    except KeyRefused as refused:
        return KeyReading(str(path), str(refused))
    return KeyReading(str(path))
