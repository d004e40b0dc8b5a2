import { type CallOptions, type Connection, type HttpRequest, wait, waitAfter } from './connection.ts'
import { EarshotError } from './errors.ts'

/** `waiting`: the connection broke or was refused for a while, and is opened again. */
export type StreamState = 'connecting' | 'open' | 'waiting'

export interface StreamOptions extends Omit<CallOptions, 'retries'> {
  /** Called when the state of the connection changes. */
  onState?: (state: StreamState) => void
}

export interface ServerEvent {
  kind: string
  data: string
  /** The newest id that the service sent, here or before; null before the first. A later stream continues after it. */
  position: string | null
}

/** The service says every 15 seconds that it is there. */
const SILENCE_MS = 45_000
/** Longest text of an event. The service sends at most 1,000,000 characters. */
const LONGEST_EVENT = 4_000_000

/**
 * Server-sent events without end. A broken connection is opened again with the id of the last event, so that the
 * service sends what was missed. Ends quietly when the signal is aborted; throws what a repetition cannot mend.
 */
export async function* followEvents(
  connection: Connection,
  request: Pick<HttpRequest, 'method' | 'path'>,
  { onState = () => undefined, signal, ...call }: StreamOptions,
): AsyncGenerator<ServerEvent> {
  const reading = { position: null as string | null, retryMs: 2000 }
  for (let failed = 0; !signal?.aborted; ) {
    let askedMs = 0
    onState('connecting')
    const ending = new AbortController()
    const leave = () => ending.abort()
    signal?.addEventListener('abort', leave)
    try {
      const response = await open(
        connection,
        { ...request, position: reading.position },
        { ...call, signal: ending.signal },
      )
      onState('open')
      for await (const event of eventsIn(linesIn(response, ending.signal), reading)) {
        failed = 0
        yield event
      }
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof EarshotError) || !error.isPassing) throw error
      failed += 1
      askedMs = Math.min((error.retryAfterSeconds ?? 0) * 1000, LONGEST_WAIT_MS)
    } finally {
      ending.abort()
      signal?.removeEventListener('abort', leave)
    }
    if (signal?.aborted) return
    onState('waiting')
    await wait(Math.max(reading.retryMs, askedMs) + (failed > 1 ? waitAfter(failed) : 0), signal)
  }
}

/** Of what a service may ask for: an hour. */
const LONGEST_WAIT_MS = 3_600_000

/** The connection itself does not repeat: every attempt has to say what was seen last. */
function open(
  connection: Connection,
  { position, ...request }: Pick<HttpRequest, 'method' | 'path'> & { position: string | null },
  call: CallOptions,
): Promise<Response> {
  const headers = { accept: 'text/event-stream', ...(position === null ? {} : { 'last-event-id': position }) }
  return connection.exchange(
    { ...request, headers, mayRepeat: true, isOpenEnded: true },
    { ...call, retries: 0 },
    async (response) => {
      if (response.body !== null && response.headers.get('content-type')?.startsWith('text/event-stream'))
        return response
      throw new EarshotError('unreadable_answer', 'The answer is no stream of events.', { status: response.status })
    },
  )
}

interface Reading {
  position: string | null
  /** As the service asked. */
  retryMs: number
}

async function* eventsIn(lines: AsyncIterable<string>, reading: Reading): AsyncGenerator<ServerEvent> {
  let [kind, data] = ['message', '']
  for await (const line of lines) {
    if (line === '') {
      if (data !== '') yield { kind, data: data.slice(0, -1), position: reading.position }
      ;[kind, data] = ['message', '']
      continue
    }
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line)!
    if (field === 'event') kind = value!
    if (field === 'data') data += `${value}\n`
    if (field === 'id') reading.position = value!
    if (field === 'retry' && /^\d{1,6}$/.test(value!)) reading.retryMs = Number(value)
    if (data.length > LONGEST_EVENT) throw broken('An event is too long.')
  }
}

async function* linesIn(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const chunk = await withinSilence(reader.read(), signal)
      if (chunk.done) return
      const lines = (rest + decoder.decode(chunk.value, { stream: true })).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop()!
      if (rest.length > LONGEST_EVENT) throw broken('A line is too long.')
      yield* lines
    }
  } catch (error) {
    throw error instanceof EarshotError ? error : broken('The stream broke off.', error)
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** A connection can die without a sign, and a reader that waits does not see that nobody listens any more. */
async function withinSilence<Result>(reading: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let end: (error: EarshotError) => void = () => undefined
  const ended = new Promise<never>((_, reject) => {
    end = reject
  })
  const leave = () => end(broken('Nobody listens any more.'))
  const timer = setTimeout(() => end(broken('The stream fell silent.')), SILENCE_MS)
  signal.addEventListener('abort', leave)
  try {
    return await Promise.race([reading, ended])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
}

function broken(message: string, cause?: unknown): EarshotError {
  return new EarshotError('no_answer', message, { status: 0, cause })
}
