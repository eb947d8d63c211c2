"""What the files of a sentence-transformers model say of it, read without loading it."""

import hashlib
import json
from pathlib import Path
from typing import Any

_WEIGHTS = ("model.safetensors", "pytorch_model.bin", "onnx/model.onnx")
_HASHED_BYTES = 1_000_000  # the head of the weights tells models apart; hashing all of them would cost start-up time


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _modules(folder: Path) -> list[tuple[str, Path]]:
    """The kind and folder of each module of the model, in order."""
    return [(module["type"].rsplit(".", 1)[-1], folder / module["path"]) for module in _json(folder / "modules.json")]


def dimension(folder: Path) -> int:
    """The number of dimensions that the model's own files state."""
    dimension = int(_json(folder / "config.json").get("hidden_size") or _json(folder / "config.json").get("dim") or 0)
    for kind, place in _modules(folder):
        if kind == "Pooling":
            pooling = _json(place / "config.json")  # newer releases of sentence-transformers write the shorter key
            dimension = int(pooling.get("embedding_dimension") or pooling["word_embedding_dimension"])
        elif kind == "Dense":
            dimension = int(_json(place / "config.json")["out_features"])
    if dimension < 1:
        raise ValueError("the model states no dimension")
    return dimension


def made_for_inner_products(folder: Path) -> bool:
    """CLS pooling, no normalising module, and no other similarity named (METHOD 13.2).

    A DistilBERT of that shape is TAS-B whatever is named: the library names the cosine when it saves a model that
    named nothing.
    """
    modules = _modules(folder)
    similarity = None
    if (folder / "config_sentence_transformers.json").is_file():
        similarity = _json(folder / "config_sentence_transformers.json").get("similarity_fn_name")
    pooling = [_json(place / "config.json") for kind, place in modules if kind == "Pooling"]
    cls = any(p.get("pooling_mode_cls_token") or p.get("pooling_mode") == "cls" for p in pooling)
    normalising = any(kind == "Normalize" for kind, _ in modules)
    distilbert = _json(folder / "config.json").get("model_type") == "distilbert"
    return cls and not normalising and (distilbert or similarity in (None, "dot", "dot_product"))


def model_id(folder: Path) -> str:
    """Name and digest of the settings, the size of the weights and their head."""
    digest = hashlib.sha256()
    for name in ("modules.json", "config.json"):
        digest.update((folder / name).read_bytes())
    weights = next((folder / name for name in _WEIGHTS if (folder / name).is_file()), None)
    if weights is None:
        raise FileNotFoundError("no weights")
    hash_weights(digest, weights)
    name = folder.parent.name if folder.name == "model" else folder.name
    return f"{name}-{digest.hexdigest()[:12]}"


def hash_weights(digest: "hashlib._Hash", weights: Path) -> None:
    """The size of weights and their head."""
    digest.update(str(weights.stat().st_size).encode())
    with weights.open("rb") as file:
        digest.update(file.read(_HASHED_BYTES))
