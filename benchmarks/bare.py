"""The baseline: a Flask endpoint that reads a JSON body, does one XADD, and answers JSON. Nothing less could be a service."""

from __future__ import annotations

import os

import redis
from flask import Flask, Response, jsonify, request


def create_app() -> Flask:
    app = Flask("bare")
    client = redis.Redis.from_url(os.environ["FOLDTABLE_REDIS_URL"])

    @app.post("/matches/<match_id>/moves")
    def move(match_id: str) -> tuple[Response, int]:
        body = request.get_json()
        entry = client.xadd(f"bare:{match_id}", {"move": str(body["move"]), "padding": "x" * 250})
        return jsonify(version=str(entry)), 201

    return app
