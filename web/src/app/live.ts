import { hasLocks } from './has-locks.ts'

/** What changed in the workspace. `ids` is null where any object may have changed. */
export interface LiveEvent {
  kind: LiveKind
  ids: readonly string[] | null
  /** Who did it; null for what the service does by itself. */
  by: string | null
}

export const LIVE_KINDS = [
  'mention.scored',
  'mention.triaged',
  'delivery.changed',
  'attention.opened',
  'attention.resolved',
  'attention.dismissed',
  'wallet.changed',
  'keyword.changed',
] as const
export type LiveKind = (typeof LIVE_KINDS)[number]

/** `off`: no tab is visible, or the server has no room. */
export type LiveState = 'connecting' | 'live' | 'off'

/** How long a hidden tab keeps the stream, in milliseconds. */
const HIDDEN_MS = 60_000
/** How long a tab waits after the server refused the stream, in milliseconds. */
const REFUSED_MS = 15_000

type Message = { event: LiveEvent } | { state: LiveState } | 'tell the state'

/**
 * One stream of changes for all tabs of a browser, because it allows six connections to a host. The tab that holds the
 * lock reads it and tells the others.
 */
class LiveChanges {
  state: LiveState = 'connecting'
  private readonly listeners = new Set<(event: LiveEvent) => void>()
  private readonly watchers = new Set<() => void>()
  private channel: BroadcastChannel | null = null
  private wanted: AbortController | null = null
  private isLeading = false
  private hiding: ReturnType<typeof setTimeout> | undefined

  begin(workspaceId: string): void {
    const name = `earshot-live-${workspaceId}`
    this.channel = new BroadcastChannel(name)
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => this.receive(data)
    // A tab that was opened later has missed what the leading one told before.
    this.channel.postMessage('tell the state' satisfies Message)
    const follow = () => {
      clearTimeout(this.hiding)
      if (document.visibilityState === 'visible') this.wantLock(name)
      else this.hiding = setTimeout(() => this.leave(), HIDDEN_MS)
    }
    document.addEventListener('visibilitychange', follow)
    follow()
  }

  listen(listener: (event: LiveEvent) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly watchState = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  private wantLock(name: string): void {
    if (this.wanted !== null) return
    const wanted = new AbortController()
    this.wanted = wanted
    // Browsers have no locks on pages of other machines over plain HTTP. There each tab reads a stream of its own.
    if (!hasLocks()) return void this.lead(wanted.signal)
    navigator.locks
      .request(name, { signal: wanted.signal }, () => this.lead(wanted.signal))
      .catch((error: unknown) => {
        if (!wanted.signal.aborted) throw error
      })
  }

  private leave(): void {
    this.wanted?.abort()
    this.wanted = null
    this.show('off')
  }

  /** Holds the lock until the tab is hidden for long or closed. */
  private lead(ended: AbortSignal): Promise<void> {
    this.isLeading = true
    this.follow(ended)
    return new Promise((resolve) => {
      ended.addEventListener('abort', () => {
        this.isLeading = false
        resolve()
      })
    })
  }

  /** Reads the stream. A browser connects again by itself, but not after a refusal, as by a service that restarts. */
  private follow(ended: AbortSignal): void {
    if (ended.aborted) return
    const stream = new EventSource('/v1/events/stream')
    ended.addEventListener('abort', () => stream.close())
    stream.onopen = () => this.tell({ state: 'live' })
    stream.onerror = () => {
      const isRefused = stream.readyState === EventSource.CLOSED
      this.tell({ state: isRefused ? 'off' : 'connecting' })
      if (isRefused) setTimeout(() => this.follow(ended), REFUSED_MS)
    }
    for (const kind of LIVE_KINDS)
      stream.addEventListener(kind, ({ data }: MessageEvent<string>) => {
        const { ids, by } = JSON.parse(data) as { ids: string[] | null; by?: { id: string | null } }
        this.tell({ event: { kind, ids, by: by?.id ?? null } })
      })
  }

  private tell(message: Message): void {
    if (hasLocks()) this.channel?.postMessage(message)
    this.receive(message)
  }

  private receive(message: Message): void {
    if (message === 'tell the state') {
      if (this.isLeading) this.tell({ state: this.state })
    } else if ('state' in message) this.show(message.state)
    else for (const listener of this.listeners) listener(message.event)
  }

  private show(state: LiveState): void {
    this.state = state
    for (const watcher of this.watchers) watcher()
  }
}

export const live = new LiveChanges()
