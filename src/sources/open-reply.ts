import { type Dispatcher, request } from 'undici'
import { type OpenReply, SourceFault } from './contract.ts'

/** `timeoutMs` ends with the headers, unlike that of a whole reply. */
export async function openReply(
  address: string,
  headers: Record<string, string>,
  dispatching: { dispatcher?: Dispatcher },
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<OpenReply> {
  signal.throwIfAborted()
  const options = { ...dispatching, headers: lowerCased(headers), signal, headersTimeout: timeoutMs, bodyTimeout: 0 }
  const reply = await request(address, options).catch((error: unknown) => {
    throw unreachable(error, signal)
  })
  // The end of a body that nobody reads would be an uncaught error.
  reply.body.on('error', () => undefined)
  return {
    status: reply.statusCode,
    headers: headersOf(reply),
    chunks: chunksOf(reply.body, signal),
    close: () => reply.body.destroy(),
  }
}

async function* chunksOf(body: Dispatcher.ResponseData['body'], signal: AbortSignal): AsyncIterable<Uint8Array> {
  try {
    yield* body as AsyncIterable<Uint8Array>
  } catch (error) {
    throw unreachable(error, signal)
  }
}

/** The signal's reason after an abort, else SourceFault 'unavailable'. */
export function unreachable(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  const reason = error instanceof Error ? error.message : String(error)
  return new SourceFault('unavailable', `the platform cannot be reached: ${reason}`, { cause: error })
}

export function headersOf(reply: Pick<Dispatcher.ResponseData, 'headers'>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(reply.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), [value].flat().join(', ')]],
    ),
  )
}

export function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
