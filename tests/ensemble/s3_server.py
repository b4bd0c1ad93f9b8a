"""A local server of S3, by moto, with one bucket."""

import contextlib
import importlib.util
import os

import pytest

BUCKET = "tests"
KEYS = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing", "AWS_DEFAULT_REGION": "us-east-1"}

needs_s3 = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("moto", "s3fs", "flask")),
    reason="moto[server] and s3fs are not installed",
)


@contextlib.contextmanager
def s3_server():
    """The environment of a server, with an empty bucket; it ends with the block."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        environment = {**KEYS, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}
        with pytest.MonkeyPatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            import s3fs

            s3fs.S3FileSystem(skip_instance_cache=True).mkdir(BUCKET)
        yield {**os.environ, **environment}
    finally:
        server.stop()
