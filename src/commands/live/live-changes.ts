import type { Topic } from '../../domain/follower/topics.ts'
import { type Clock, plus, SECOND_MS } from '../../kernel/clock.ts'
import { TimeUp, withinTime } from '../../kernel/concurrency/time-limit.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { type Database, DatabaseUnavailable } from '../../store/database.ts'
import { announceFollowing, CHANGES_CHANNEL } from '../../store/follower/followers.ts'
import type { Services } from '../writing.ts'
import { type Follower, Inbox } from './follower.ts'

/** Each follower has a caller's connection and an inbox. */
const FOLLOWERS_MAX = { ofWorkspace: 20, ofProcess: 500 }
/** How long an announcement of following lasts, and how often it is renewed. */
const FOLLOWING_MS = 60 * SECOND_MS
const RENEWED_MS = 20 * SECOND_MS
/** The longest wait for the database to listen. */
const LISTENING_MS = 10 * SECOND_MS

/** Distributes changes of workspaces from all processes. Listens to the database only while somebody follows here. */
export class LiveChanges {
  private readonly db: Database
  private readonly clock: Clock
  private readonly most: typeof FOLLOWERS_MAX
  private readonly processId: Uuid
  /** By workspace, including followers being admitted. */
  private readonly inboxes = new Map<Uuid, Set<Inbox>>()
  private listening: { stop: AbortController; ready: Promise<void> } | null = null
  private ended = false
  private announcedUntil: Date

  constructor({ db, clock }: Pick<Services, 'db' | 'clock'>, most = FOLLOWERS_MAX) {
    this.db = db
    this.clock = clock
    this.most = most
    this.processId = newUuid(clock.now())
    this.announcedUntil = clock.now()
  }

  /** The limit that is reached, or null. */
  fullOf(workspaceId: Uuid): 'workspace' | 'process' | null {
    if ((this.inboxes.get(workspaceId)?.size ?? 0) >= this.most.ofWorkspace) return 'workspace'
    return this.ended || this.all().length >= this.most.ofProcess ? 'process' : null
  }

  /** Resolves when every later change of these topics will be reported; null when a limit is reached. */
  async follow(workspaceId: Uuid, topics: readonly Topic[]): Promise<Follower | null> {
    if (this.fullOf(workspaceId) !== null) return null
    const inbox = this.admit(workspaceId, topics)
    this.listening ??= this.listen()
    const { ready } = this.listening
    const leave = () => {
      inbox.close()
      this.drop(workspaceId, inbox)
    }
    try {
      await withinTime({ clock: this.clock, limitMs: LISTENING_MS }, () => ready)
      await this.announce()
    } catch (error) {
      leave()
      throw error instanceof TimeUp ? new DatabaseUnavailable(error) : error
    }
    inbox.begin()
    return followerOf(inbox, leave)
  }

  /** Idempotent. */
  end(): void {
    this.ended = true
    for (const inbox of this.all()) inbox.close()
  }

  private all(): Inbox[] {
    return [...this.inboxes.values()].flatMap((ofWorkspace) => [...ofWorkspace])
  }

  private admit(workspaceId: Uuid, topics: readonly Topic[]): Inbox {
    const inbox = new Inbox(this.clock, topics)
    const ofWorkspace = this.inboxes.get(workspaceId) ?? new Set<Inbox>()
    this.inboxes.set(workspaceId, ofWorkspace.add(inbox))
    return inbox
  }

  private drop(workspaceId: Uuid, inbox: Inbox): void {
    const ofWorkspace = this.inboxes.get(workspaceId)
    ofWorkspace?.delete(inbox)
    if (ofWorkspace?.size === 0) this.inboxes.delete(workspaceId)
    if (this.inboxes.size > 0) return
    this.listening?.stop.abort()
    this.listening = null
  }

  private listen(): { stop: AbortController; ready: Promise<void> } {
    const stop = new AbortController()
    const ready = new Promise<void>((resolve) => {
      const reconnected = () => {
        resolve()
        this.doubtEverything()
      }
      this.db.listen(CHANGES_CHANNEL, (payload) => this.hear(payload), reconnected, stop.signal)
      stop.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    void this.keepAnnouncing(stop.signal)
    return { stop, ready }
  }

  private hear(payload: string): void {
    const [workspaceId, topic, ...ids] = payload.split(' ') as [Uuid, Topic?, ...Uuid[]]
    for (const inbox of this.inboxes.get(workspaceId) ?? []) {
      if (topic === undefined) inbox.doubt()
      else inbox.put(topic, ids)
    }
  }

  private doubtEverything(): void {
    for (const inbox of this.all()) {
      inbox.miss()
      inbox.doubt()
    }
  }

  private followed(): Map<Uuid, Set<Topic>> {
    const topicsOf = (inboxes: ReadonlySet<Inbox>) => new Set([...inboxes].flatMap(({ topics }) => [...topics]))
    return new Map([...this.inboxes].map(([workspaceId, inboxes]) => [workspaceId, topicsOf(inboxes)]))
  }

  private async announce(): Promise<void> {
    const until = plus(this.clock.now(), FOLLOWING_MS)
    await this.db.transaction((tx) => announceFollowing(tx, this.processId, this.followed(), until))
    // The renewal came late, so notifications may be missing.
    if (this.clock.now() > this.announcedUntil) for (const inbox of this.all()) inbox.miss()
    this.announcedUntil = until
  }

  private async keepAnnouncing(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.clock.wait(RENEWED_MS, signal)
      if (signal.aborted) return
      try {
        await this.announce()
      } catch {
        // Changes during the outage sent no notification, so followers query the database.
        for (const inbox of this.all()) inbox.miss()
      }
    }
  }
}

function followerOf(inbox: Inbox, leave: () => void): Follower {
  return {
    wait: (ms, signal) => inbox.wait(ms, signal),
    pause: (ms, signal) => inbox.pause(ms, signal),
    take: () => inbox.take(),
    takeDoubt: () => inbox.takeDoubt(),
    leave,
    get over() {
      return inbox.closed
    },
  }
}
