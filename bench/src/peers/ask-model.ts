interface Message {
  role: string;
  content: string;
}

/** Asks an OpenAI-compatible server for one reply. Throws on any other answer. */
export async function askModel(url: string, model: string, messages: readonly unknown[]): Promise<Message> {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-test' },
    body: JSON.stringify({ model, messages }),
  });
  if (!response.ok) throw new Error(`The model answered ${response.status}: ${await response.text()}`);
  const { choices } = (await response.json()) as { choices: [{ message: Message }] };
  const { role, content } = choices[0].message;
  return { role, content };
}
