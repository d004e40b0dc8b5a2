import { WebSocket } from 'ws'
import { type CollectContext, SourceFault } from '../contract.ts'
import { faultOfStatus } from '../reply-fault.ts'

/** Messages waiting to be read, and the way to wait for them. One reader. */
export interface Feed {
  /**
   * Messages that are waiting, at most `most`, oldest first; an empty list when the feed has ended by abort, or was
   * quiet for long. Throws the fault that ended it once all messages are read.
   */
  next(most: number): Promise<string[]>
  close(): void
}

export interface FeedLimits {
  /** Messages after which reading from the network stops until fewer than half of them are left. */
  maxWaiting: number
  /** The same by size, in bytes as they arrived: messages may be a thousand times as long as most are. */
  maxWaitingBytes: number
  /** Silence after which the other side is asked with a ping whether it is there. */
  silenceMs: number
  /** Time within which it has to answer; without an answer the connection counts as dead. */
  pongMs: number
  /** Pings in a row that are answered and followed by no message, until another connection is worth a try. */
  quietPings: number
  /** Time within which messages are gathered into one batch. */
  gatherMs: number
}

const HANDSHAKE_MS = 15_000
/** The feed is asked to leave out larger messages; no post comes near. */
export const MAX_MESSAGE_BYTES = 1_000_000

/** Opens the web socket at `address` and keeps what arrives until it is asked for. */
export function openFeed(address: string, context: CollectContext, limits: FeedLimits): Feed {
  const waiting: { text: string; bytes: number }[] = []
  let waitingBytes = 0
  let fault: SourceFault | null = null
  let ended = false
  let wake = () => {}
  let quietPings = 0
  let isProbing = false
  const socket = new WebSocket(address, {
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: 2 * MAX_MESSAGE_BYTES,
    headers: { 'user-agent': context.userAgent },
  })
  let watchdog = setTimeout(probe, limits.silenceMs)

  socket.on('message', (data, isBinary) => {
    const text = isBinary ? '' : data.toString()
    const bytes = Buffer.byteLength(text)
    waiting.push({ text, bytes })
    waitingBytes += bytes
    quietPings = 0
    if (isProbing) watch()
    else watchdog.refresh()
    if (isFilled(1)) pause()
    wake()
  })
  socket.on('pong', () => {
    // What was asked before the reader held the network back is answered after it.
    if (!ended && isProbing) watch()
  })
  socket.on('unexpected-response', (request, response) => {
    const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
    request.destroy()
    end(
      faultOfStatus(response.statusCode ?? 0, headers, context.at) ??
        new SourceFault('unavailable', 'the feed answered without opening a web socket'),
    )
  })
  socket.on('error', (cause) =>
    end(new SourceFault('unavailable', `the feed cannot be reached: ${cause.message}`, { cause })),
  )
  socket.on('close', (code) => end(new SourceFault('unavailable', `the feed closed the connection with code ${code}`)))
  context.signal.addEventListener('abort', close, { once: true })
  if (context.signal.aborted) close()

  return { next, close }

  async function next(most: number): Promise<string[]> {
    if (waiting.length === 0 && !ended) await woken(null, 1)
    if (waiting.length < most && !ended) await woken(limits.gatherMs, most)
    const messages = context.signal.aborted ? [] : waiting.splice(0, most)
    for (const { bytes } of messages) waitingBytes -= bytes
    if (socket.isPaused && !isFilled(0.5)) resume()
    if (messages.length === 0 && fault && !context.signal.aborted) throw fault
    return messages.map(({ text }) => text)
  }

  /** Whether what waits takes this part of the room for it, in number or in size. */
  function isFilled(part: number): boolean {
    return waiting.length >= limits.maxWaiting * part || waitingBytes >= limits.maxWaitingBytes * part
  }

  /** Resolves when `count` messages wait, the feed has ended, or the time is over. */
  function woken(withinMs: number | null, count: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        wake = () => {}
        resolve()
      }
      const timer = withinMs === null ? undefined : setTimeout(done, withinMs)
      wake = () => {
        if (ended || waiting.length >= count) done()
      }
    })
  }

  /** While nothing is read from the network, silence says nothing about the other side. */
  function pause(): void {
    socket.pause()
    isProbing = false
    clearTimeout(watchdog)
  }

  function resume(): void {
    socket.resume()
    if (!ended) watch()
  }

  function watch(): void {
    clearTimeout(watchdog)
    isProbing = false
    watchdog = setTimeout(probe, limits.silenceMs)
  }

  /** A quiet feed is not a dead one, unless it stays quiet for long while others may not be. */
  function probe(): void {
    if (quietPings === limits.quietPings) {
      end(null)
      return
    }
    const dead = new SourceFault('unavailable', `no message for ${limits.silenceMs} ms, and no answer to a ping`)
    if (socket.readyState !== WebSocket.OPEN) {
      end(dead)
      return
    }
    quietPings += 1
    isProbing = true
    socket.ping()
    watchdog = setTimeout(() => end(dead), limits.pongMs)
  }

  function close(): void {
    end(null)
  }

  /** The first reason counts; closing causes further events. */
  function end(reason: SourceFault | null): void {
    if (ended) return
    ended = true
    fault = reason
    clearTimeout(watchdog)
    context.signal.removeEventListener('abort', close)
    socket.terminate()
    wake()
  }
}
