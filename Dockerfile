# A slim image that runs as nobody in particular: the page on port 7860, its data in /data.
#   docker build -t pdgf .        docker run -p 7860:7860 -v pdgf-data:/data pdgf
# The CPU build of PyTorch comes first, so that nothing pulls the one for graphics cards, which is gigabytes larger.
ARG PYTHON=3.11

FROM python:${PYTHON}-slim AS build
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/pdgf
RUN /opt/pdgf/bin/pip install --index-url "${TORCH_INDEX}" torch==2.13.0
WORKDIR /source
COPY pyproject.toml README.md LICENSE app.py ./
COPY pdgf pdgf
COPY dialogue dialogue
COPY prompts prompts
RUN /opt/pdgf/bin/pip install '.[local,postgres,mcp]' \
    && find /opt/pdgf -name __pycache__ -prune -exec rm -rf {} +

FROM python:${PYTHON}-slim
# The system's certificates: web search and language models are asked over TLS.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 1000 --create-home pdgf \
    && install --directory --owner=pdgf --group=pdgf /data
COPY --from=build /opt/pdgf /opt/pdgf
ENV PATH=/opt/pdgf/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    GRADIO_SERVER_NAME=0.0.0.0 \
    GRADIO_SERVER_PORT=7860 \
    PDGF_DATA_DIR=/data \
    PDGF_LOG_FORMAT=json
USER pdgf
WORKDIR /home/pdgf
VOLUME /data
EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:7860/health', timeout=4)"]
CMD ["python", "-m", "app"]
