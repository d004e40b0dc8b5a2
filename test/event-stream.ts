import { until } from './until.ts'

/** An open stream of server-sent events. */
export interface EventStream {
  status: number
  headers: Headers
  /** Every line so far. */
  text(): string
  /** The ids of the events so far, in order. */
  ids(): string[]
  /** Every position so far, also those of comments, from which a client may go on. */
  positions(): string[]
  leave(): void
  ended(): boolean
}

/** Opens a stream and waits until it listens, unless it is refused. */
export async function openEventStream(url: string, headers: Record<string, string>): Promise<EventStream> {
  const leaving = new AbortController()
  const reply = await fetch(url, { headers, signal: leaving.signal })
  let text = ''
  let ended = false
  const reading = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of reply.body!) text += decoder.decode(chunk as Uint8Array, { stream: true })
  }
  void reading()
    .catch(() => undefined)
    .finally(() => {
      ended = true
    })
  if (reply.status === 200) await until(() => text.includes('listening'))
  return {
    status: reply.status,
    headers: reply.headers,
    text: () => text,
    ids: () => [...text.matchAll(/^id: (.*)\n(?=event)/gm)].map(([, id]) => id!),
    positions: () => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id!),
    leave: () => leaving.abort(),
    ended: () => ended,
  }
}
