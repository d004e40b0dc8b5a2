import type { IncomingMessage } from 'node:http'
import { type RawData, WebSocket } from 'ws'
import { type CollectContext, SourceFault } from '../contract.ts'
import { faultOfStatus } from '../reply-fault.ts'
import { type SilenceLimits, SilenceWatch } from './silence-watch.ts'

export interface FeedLimits extends SilenceLimits {
  /** Pauses the network until fewer than half remain. */
  maxWaiting: number
  /** In received bytes: a message may be a thousand times the usual size. */
  maxWaitingBytes: number
  gatherMs: number
}

const HANDSHAKE_MS = 15_000
/** The feed leaves out larger messages; no post is near it. */
export const MAX_MESSAGE_BYTES = 1_000_000

export class JetstreamFeed {
  private readonly context: CollectContext
  private readonly limits: FeedLimits
  private readonly socket: WebSocket
  private readonly silence: SilenceWatch
  private readonly waiting: { text: string; bytes: number }[] = []
  private waitingBytes = 0
  private fault: SourceFault | null = null
  private isOver = false
  private wake = () => {}
  private readonly abort = () => this.close()

  constructor(address: string, context: CollectContext, limits: FeedLimits) {
    this.context = context
    this.limits = limits
    this.socket = new WebSocket(address, {
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: 2 * MAX_MESSAGE_BYTES,
      headers: { 'user-agent': context.userAgent },
    })
    this.silence = new SilenceWatch(limits, {
      isOpen: () => this.socket.readyState === WebSocket.OPEN,
      ping: () => this.socket.ping(),
      end: (reason) => this.end(reason),
    })
    this.listen()
    context.signal.addEventListener('abort', this.abort, { once: true })
    if (context.signal.aborted) this.close()
  }

  /**
   * At most `most` messages, oldest first; empty after an abort or a long quiet. Throws the feed's fault after its last
   * message.
   */
  async next(most: number): Promise<string[]> {
    if (this.waiting.length === 0 && !this.isOver) await this.woken(null, 1)
    if (this.waiting.length < most && !this.isOver) await this.woken(this.limits.gatherMs, most)
    const { aborted } = this.context.signal
    const messages = aborted ? [] : this.waiting.splice(0, most)
    for (const { bytes } of messages) this.waitingBytes -= bytes
    if (this.socket.isPaused && !this.isFilled(0.5)) this.resume()
    if (messages.length === 0 && this.fault && !aborted) throw this.fault
    return messages.map(({ text }) => text)
  }

  close(): void {
    this.end(null)
  }

  private listen(): void {
    this.socket.on('message', (data, isBinary) => this.take(data, isBinary))
    this.socket.on('pong', () => {
      if (!this.isOver) this.silence.onPong()
    })
    this.socket.on('unexpected-response', (request, response) => {
      request.destroy()
      this.end(refusedOpening(response, this.context.at))
    })
    this.socket.on('error', (cause) =>
      this.end(new SourceFault('unavailable', `the feed cannot be reached: ${cause.message}`, { cause })),
    )
    this.socket.on('close', (code) =>
      this.end(new SourceFault('unavailable', `the feed closed the connection with code ${code}`)),
    )
  }

  private take(data: RawData, isBinary: boolean): void {
    const text = isBinary ? '' : data.toString()
    const bytes = Buffer.byteLength(text)
    this.waiting.push({ text, bytes })
    this.waitingBytes += bytes
    this.silence.onMessage()
    if (this.isFilled(1)) this.pause()
    this.wake()
  }

  private isFilled(part: number): boolean {
    return (
      this.waiting.length >= this.limits.maxWaiting * part || this.waitingBytes >= this.limits.maxWaitingBytes * part
    )
  }

  private woken(withinMs: number | null, count: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.wake = () => {}
        resolve()
      }
      const timer = withinMs === null ? undefined : setTimeout(done, withinMs)
      this.wake = () => {
        if (this.isOver || this.waiting.length >= count) done()
      }
    })
  }

  /** Silence says nothing while reading is paused. */
  private pause(): void {
    this.socket.pause()
    this.silence.stop()
  }

  private resume(): void {
    this.socket.resume()
    if (!this.isOver) this.silence.restart()
  }

  /** Closing causes further events. */
  private end(reason: SourceFault | null): void {
    if (this.isOver) return
    this.isOver = true
    this.fault = reason
    this.silence.stop()
    this.context.signal.removeEventListener('abort', this.abort)
    this.socket.terminate()
    this.wake()
  }
}

function refusedOpening({ statusCode, headers: given }: IncomingMessage, at: Date): SourceFault {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
  return (
    faultOfStatus(statusCode ?? 0, headers, at) ??
    new SourceFault('unavailable', 'the feed answered without opening a web socket')
  )
}
