"""A language model behind an OpenAI-compatible address: OpenAI itself, Ollama, LM Studio, vLLM, llama.cpp."""

from __future__ import annotations

import os
from typing import Any

import httpx

from memdesk.engine.providers.language import Completion
from memdesk.model.errors import ModelUnavailable
from memdesk.model.settings import Settings

KEY_VARIABLE = "MEMDESK_MODEL_KEY"
"""The environment variable that holds the key, where the endpoint asks for one. It is never written down."""


class ChatModel:
    """A model that is asked over HTTP, one question at a time."""

    def __init__(self, *, url: str, name: str, timeout_s: float) -> None:
        self.name = name
        key = os.environ.get(KEY_VARIABLE, "")
        self._client = httpx.Client(
            base_url=url.rstrip("/"),
            timeout=timeout_s,
            headers={"Authorization": f"Bearer {key}"} if key else {},
        )

    def complete(self, *, system: str, prompt: str, max_tokens: int, temperature: float) -> Completion:
        asked = {
            "model": self.name,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": prompt}],
            "max_tokens": max_tokens,
            "temperature": temperature,
        }
        try:
            answer = self._client.post("/chat/completions", json=asked)
            answer.raise_for_status()
            return _read(answer.json())
        except httpx.HTTPStatusError as refused:
            raise ModelUnavailable(
                f"The language model {self.name} answered {refused.response.status_code}."
            ) from refused
        except (httpx.HTTPError, ValueError, LookupError, TypeError) as failed:
            raise ModelUnavailable(
                f"The language model {self.name} gave no answer ({type(failed).__name__})."
            ) from failed


def _read(said: Any) -> Completion:
    text, used = said["choices"][0]["message"]["content"], said.get("usage")
    used = used if isinstance(used, dict) else {}
    if not isinstance(text, str):
        raise ValueError("an answer without text")
    return Completion(
        text=text,
        tokens_in=int(used.get("prompt_tokens") or 0),
        tokens_out=int(used.get("completion_tokens") or 0),
    )


def model_of(settings: Settings) -> ChatModel | None:
    """The language model the settings name, None when they name none."""
    if not (settings.model_url and settings.model_name):
        return None
    return ChatModel(url=settings.model_url, name=settings.model_name, timeout_s=settings.model_seconds)
