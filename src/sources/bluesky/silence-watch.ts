import { SourceFault } from '../contract.ts'

export interface SilenceLimits {
  /** Silence after which the other side is asked with a ping whether it is there. */
  silenceMs: number
  /** Time within which it has to answer; without an answer the connection counts as dead. */
  pongMs: number
  /** Pings in a row that are answered and followed by no message, until another connection is worth a try. */
  quietPings: number
}

interface Watched {
  isOpen(): boolean
  ping(): void
  /** Takes the fault that ends the connection, or null when it was merely quiet for long. */
  end(reason: SourceFault | null): void
}

/** Watches a connection for silence: asks with pings, and ends it without an answer or after too many quiet ones. */
export class SilenceWatch {
  private readonly limits: SilenceLimits
  private readonly watched: Watched
  private timer: NodeJS.Timeout
  /** Pings that were answered since the last message. */
  private quietPings = 0
  /** True while the answer to a ping is awaited. */
  private isProbing = false

  constructor(limits: SilenceLimits, watched: Watched) {
    this.limits = limits
    this.watched = watched
    this.timer = this.probeLater()
  }

  heardMessage(): void {
    this.quietPings = 0
    if (this.isProbing) this.restart()
    else this.timer.refresh()
  }

  heardPong(): void {
    // A ping that went out before the reader held the network back is answered after it.
    if (this.isProbing) this.restart()
  }

  restart(): void {
    this.stop()
    this.timer = this.probeLater()
  }

  stop(): void {
    clearTimeout(this.timer)
    this.isProbing = false
  }

  private probeLater(): NodeJS.Timeout {
    return setTimeout(() => this.probe(), this.limits.silenceMs)
  }

  /** A quiet feed is not a dead one, unless it stays quiet for long while others may not be. */
  private probe(): void {
    if (this.quietPings === this.limits.quietPings) {
      this.watched.end(null)
      return
    }
    const silent = `no message for ${this.limits.silenceMs} ms, and no answer to a ping`
    const dead = new SourceFault('unavailable', silent)
    if (!this.watched.isOpen()) {
      this.watched.end(dead)
      return
    }
    this.quietPings += 1
    this.isProbing = true
    this.watched.ping()
    this.timer = setTimeout(() => this.watched.end(dead), this.limits.pongMs)
  }
}
