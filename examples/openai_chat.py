"""An agent in Python over OpenAI chat completions, with its thread in Spillway. It needs the standard library alone.

Set SPILLWAY_URL, SPILLWAY_KEY and OPENAI_API_KEY; OPENAI_BASE_URL for another provider.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from urllib.parse import quote

MODEL = "gpt-4o-mini"
LIST_ORDERS = {
    "type": "function",
    "function": {
        "name": "list_orders",
        "description": "Lists all orders as JSON.",
        "parameters": {"type": "object", "properties": {}},
    },
}


def list_orders():
    """The agent's own tool: a result that is far too large for a context."""
    states = ("damaged" if i == 1_234 else "shipped" for i in range(2_000))
    return json.dumps([{"id": f"order-{i}", "state": state} for i, state in enumerate(states)])


def request(url, key, body, method="POST"):
    """Sends JSON and returns the answer. The same key of a request is recorded once, so it is safe to send it again."""
    headers = {
        "Authorization": f"Bearer {key}",
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid.uuid4()),
    }
    data = json.dumps(body).encode()
    for wait in (0.5, 2, 5, None):
        try:
            asked = urllib.request.Request(url, data, headers, method=method)
            with urllib.request.urlopen(asked, timeout=120) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if wait is None or error.code not in (408, 429, 502, 503, 504):
                raise SystemExit(f"{url}: {error.code} {error.read().decode()}") from error
            after = error.headers.get("Retry-After", "")
            wait = int(after) if after.isdigit() else wait
        except OSError:
            # The connection was refused, reset or silent.
            if wait is None:
                raise
        time.sleep(wait)


def ask_model(context):
    """The provider's answer to a context of Spillway."""
    base_url = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
    messages = [{"role": "system", "content": context["system"]}, *context["messages"]]
    body = {"model": MODEL, "messages": messages, "tools": [LIST_ORDERS, *context["tools"]]}
    return request(f"{base_url}/chat/completions", os.environ["OPENAI_API_KEY"], body)


class Thread:
    """A thread of Spillway."""

    def __init__(self, thread_id):
        self.url = f"{os.environ['SPILLWAY_URL']}/v1/threads/{quote(thread_id, safe='')}"
        self.key = os.environ["SPILLWAY_KEY"]

    def put(self, **settings):
        return request(self.url, self.key, settings, method="PUT")

    def append(self, messages, **rest):
        return request(f"{self.url}/messages", self.key, {"messages": messages, **rest})

    def append_and_read(self, messages):
        """Records messages, and returns the context for the next model call, with the tools that read back."""
        url = f"{self.url}/messages?context=true&tools=true&wait=200"
        return request(url, self.key, {"messages": messages})["context"]

    def run_tool(self, name, arguments):
        return request(f"{self.url}/tools/{quote(name, safe='')}", self.key, {"arguments": arguments})["text"]


def run(thread, question):
    """Asks the model until it makes no call, and returns what it says."""
    thread.put(format="openai", model=MODEL, system="You answer questions about orders.", tools=[LIST_ORDERS])
    context = thread.append_and_read([{"role": "user", "content": question}])
    while True:
        answer = ask_model(context)
        message = answer["choices"][0]["message"]
        thread.append([message], usage=answer["usage"], fingerprint=context["fingerprint"])
        calls = message.get("tool_calls") or []
        if not calls:
            return message["content"]
        context = thread.append_and_read([result_of(thread, call) for call in calls])


def result_of(thread, call):
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    content = list_orders() if name == "list_orders" else thread.run_tool(name, arguments)
    return {"role": "tool", "tool_call_id": call["id"], "content": content}


if __name__ == "__main__":
    thread_id = sys.argv[1] if len(sys.argv) > 1 else "orders"
    question = sys.argv[2] if len(sys.argv) > 2 else "Which order is damaged?"
    print(run(Thread(thread_id), question))
