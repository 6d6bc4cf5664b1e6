# Dependencies and kernels are made in the first stage; the second has neither pip's
# leftovers nor a compiler's. Both must be of one base: the virtual environment points into it.

FROM python:3.13-slim-bookworm AS build
# Kernels for any x86-64 or arm64: they are loaded on machines that nobody knows yet. The
# same value at build and run, else Numba compiles anew at every start.
ENV NUMBA_CPU_NAME=generic \
    NUMBA_CACHE_DIR=/opt/kernels \
    PATH=/opt/quadriga/bin:$PATH
RUN python -m venv /opt/quadriga
WORKDIR /src
COPY requirements/serve.txt requirements/
RUN --mount=type=cache,target=/root/.cache/pip \
    python -m pip install --disable-pip-version-check --require-hashes --requirement requirements/serve.txt
COPY pyproject.toml README.md LICENSE ./
COPY app app
COPY engines engines
RUN python -m pip install --disable-pip-version-check --no-cache-dir --no-build-isolation --no-deps . \
    && quadriga warm && quadriga warm --check

FROM python:3.13-slim-bookworm
LABEL org.opencontainers.image.title="Quadriga" \
      org.opencontainers.image.description="Four games, one move service: what should I play, and why?" \
      org.opencontainers.image.licenses="MIT"
# PORT, as hosting platforms set it, also opens the service to the outside of the container.
ENV NUMBA_CPU_NAME=generic \
    NUMBA_CACHE_DIR=/opt/kernels \
    PATH=/opt/quadriga/bin:$PATH \
    PORT=8000 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
COPY --from=build /opt/quadriga /opt/quadriga
COPY --from=build --chown=10001:10001 /opt/kernels /opt/kernels
COPY docker/entrypoint /usr/local/bin/entrypoint
WORKDIR /tmp
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/health/live', timeout=2)"]
ENTRYPOINT ["/usr/local/bin/entrypoint"]
CMD ["quadriga", "serve"]
