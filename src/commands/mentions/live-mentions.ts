import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { underAny } from '../../kernel/under-any.ts'
import { DatabaseUnavailable } from '../../store/database.ts'
import { follow, SCORED_CHANNEL } from '../../store/mention/mention-followers.ts'
import { TimeUp, withinTime } from '../time-limit.ts'
import type { Services } from '../writing.ts'

/** Tells what is scored, as it is scored, by whatever process. */
export interface LiveMentions {
  /**
   * What has as many followers here as it may have, so that nobody else can follow this workspace; null when there is
   * room.
   */
  fullOf(workspaceId: Uuid): 'workspace' | 'process' | null
  /**
   * Begins to follow a workspace. Resolves when everything that is scored from now on will be told; null when there is
   * no room.
   */
  follow(workspaceId: Uuid): Promise<Follower | null>
  /** Ends every follower; nobody can follow afterwards. Idempotent. */
  end(): void
}

/** One who follows a workspace. One caller at a time. */
export interface Follower {
  /**
   * Waits until something was told, for at most so long. Resolves at once when something was told before, or it is
   * over.
   */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /**
   * What was told since the last call. `missed` is true when that may not be all, because notifications were lost or
   * more came than are kept.
   */
  take(): { ids: Uuid[]; missed: boolean }
  /** Whether somebody's access to the workspace has changed since the last call, or may have. */
  takeDoubt(): boolean
  /** True when nothing more will be told. */
  readonly over: boolean
  /** Has to be called in the end; idempotent. */
  leave(): void
}

/**
 * Followers in one process: of one workspace, and of all. Each has a connection of a caller, and what that one has not
 * read yet.
 */
const FOLLOWERS_MAX = { ofWorkspace: 20, ofProcess: 500 }
/** What a slow reader has waiting; beyond it the reader looks in the database instead. */
const WAITING_MAX = 10_000
/** How long a process counts as following without saying so again, and how often it does. */
const FOLLOWING_MS = 60 * SECOND_MS
const RENEWED_MS = 20 * SECOND_MS
/** How long the first follower waits for the database to notify. */
const LISTENING_MS = 10 * SECOND_MS

/** The followers of one process. It listens to the database only while there are any. */
export function createLiveMentions({ db, clock }: Pick<Services, 'db' | 'clock'>, most = FOLLOWERS_MAX): LiveMentions {
  const processId = newUuid(clock.now())
  const followers = new Map<Uuid, Set<Inbox>>()
  /** Followers that are being let in count as well. */
  let listening: { stop: AbortController; ready: Promise<void> } | null = null
  let ended = false

  const everybody = () => [...followers.values()].flatMap((some) => [...some])
  /** Until when this process counts as following. */
  let saidUntil = clock.now()
  const say = async () => {
    const until = plus(clock.now(), FOLLOWING_MS)
    await db.transaction((tx) => follow(tx, processId, [...followers.keys()].sort(), until))
    // It took so long that nobody was told for a while.
    if (clock.now() > saidUntil) for (const inbox of everybody()) inbox.miss()
    saidUntil = until
  }
  const listen = () => {
    const stop = new AbortController()
    const ready = new Promise<void>((resolve) => {
      const heard = (payload: string) => {
        const [workspaceId, ...ids] = payload.split(' ') as Uuid[]
        for (const inbox of followers.get(workspaceId!) ?? []) {
          if (ids.length > 0) inbox.put(ids)
          else inbox.doubt()
        }
      }
      const reconnected = () => {
        resolve()
        for (const inbox of everybody()) {
          inbox.miss()
          inbox.doubt()
        }
      }
      db.listen(SCORED_CHANNEL, heard, reconnected, stop.signal)
      stop.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    void keepSaying(stop.signal)
    return { stop, ready }
  }
  const keepSaying = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      await clock.wait(RENEWED_MS, signal)
      if (signal.aborted) return
      try {
        await say()
      } catch {
        // Somebody may meanwhile score without telling this process: its followers look for themselves.
        for (const inbox of everybody()) inbox.miss()
      }
    }
  }
  const drop = (workspaceId: Uuid, inbox: Inbox) => {
    const some = followers.get(workspaceId)
    some?.delete(inbox)
    if (some?.size === 0) followers.delete(workspaceId)
    if (followers.size > 0) return
    listening?.stop.abort()
    listening = null
  }

  const fullOf = (workspaceId: Uuid) => {
    if ((followers.get(workspaceId)?.size ?? 0) >= most.ofWorkspace) return 'workspace'
    return ended || everybody().length >= most.ofProcess ? 'process' : null
  }
  return {
    fullOf,
    async follow(workspaceId) {
      if (fullOf(workspaceId) !== null) return null
      const some = followers.get(workspaceId) ?? new Set<Inbox>()
      const inbox = createInbox(clock)
      followers.set(workspaceId, some.add(inbox))
      listening ??= listen()
      const { ready } = listening
      const leave = () => {
        inbox.close()
        drop(workspaceId, inbox)
      }
      try {
        await withinTime({ clock, limitMs: LISTENING_MS }, () => ready)
        await say()
      } catch (error) {
        leave()
        throw error instanceof TimeUp ? new DatabaseUnavailable(error) : error
      }
      return {
        wait: inbox.wait,
        take: inbox.take,
        takeDoubt: inbox.takeDoubt,
        leave,
        get over() {
          return inbox.closed
        },
      }
    },
    end() {
      ended = true
      for (const inbox of everybody()) inbox.close()
    },
  }
}

type Inbox = ReturnType<typeof createInbox>

/** What one follower has not read yet. */
function createInbox(clock: Services['clock']) {
  let ids: Uuid[] = []
  let missed = false
  let doubted = false
  let closed = false
  let ring: () => void = () => undefined
  return {
    put(more: readonly Uuid[]) {
      if (ids.length + more.length > WAITING_MAX) {
        ids = []
        missed = true
      } else if (!missed) ids.push(...more)
      ring()
    },
    miss() {
      missed = true
      ring()
    },
    doubt() {
      doubted = true
      ring()
    },
    takeDoubt() {
      const was = doubted
      doubted = false
      return was
    },
    take() {
      const taken = { ids, missed }
      ids = []
      missed = false
      return taken
    },
    async wait(ms: number, signal: AbortSignal) {
      if (ids.length > 0 || missed || doubted || closed || signal.aborted) return
      const rung = new AbortController()
      ring = () => rung.abort()
      await underAny([signal, rung.signal], (either) => clock.wait(ms, either))
      ring = () => undefined
    },
    close() {
      closed = true
      ring()
    },
    get closed() {
      return closed
    },
  }
}
