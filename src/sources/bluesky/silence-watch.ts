import { SourceFault } from '../contract.ts'

export interface SilenceLimits {
  /** Silence before a ping. */
  silenceMs: number
  /** Wait for a pong. */
  pongMs: number
  /** Answered pings in a row without a message. */
  quietPings: number
}

interface Watched {
  isOpen(): boolean
  ping(): void
  /** Null if the connection was alive but quiet for too long. */
  end(reason: SourceFault | null): void
}

export class SilenceWatch {
  private readonly limits: SilenceLimits
  private readonly watched: Watched
  private timer: NodeJS.Timeout
  private quietPings = 0
  private isProbing = false

  constructor(limits: SilenceLimits, watched: Watched) {
    this.limits = limits
    this.watched = watched
    this.timer = this.probeLater()
  }

  onMessage(): void {
    this.quietPings = 0
    if (this.isProbing) this.restart()
    else this.timer.refresh()
  }

  onPong(): void {
    // A ping sent before the reader paused the network is answered after the pause.
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

  /** A quiet feed may be alive, but another host may not be quiet. */
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
