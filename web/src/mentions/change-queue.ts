import { ApiError } from '../api/errors.ts'
import { type MentionChange, updateMentions } from '../api/mentions.ts'
import { words } from './words.ts'

/** A change of mentions, with the change that gives each its former values back. */
export interface QueuedChange {
  change: MentionChange
  former: Readonly<Record<string, MentionChange>>
}

export interface Skipped {
  id: string
  code: string
}

/** What became of changes after they had waited. */
export interface LateOutcome {
  /** What the server carried out, with what it skipped. */
  sent: QueuedChange | null
  /** What the server refused, with its former values. */
  refused: QueuedChange | null
  skipped: readonly Skipped[]
  error: Error | null
  /** Mentions that somebody changed meanwhile, so that the change was not sent. */
  overtaken: readonly string[]
}

export interface Review {
  /** Mentions that still have their former values. */
  fitting: readonly string[]
  /** Mentions that somebody changed meanwhile. The others have the new values already. */
  overtaken: readonly string[]
}

interface Ports {
  update?: (body: MentionChange & { ids: string[] }) => Promise<{ skipped: Skipped[] }>
  /** Compares a change that waited with what the server has now. */
  review: (change: QueuedChange) => Promise<Review>
  /** The queue or its state is another now. */
  onChange: () => void
  onLate: (outcome: LateOutcome) => void
}

interface Entry {
  change: MentionChange
  key: string
  former: Map<string, MentionChange>
  /** An entry that was sent takes no more mentions, because the server may have carried it out. */
  isTried: boolean
  waits: boolean
  settle: (skipped: Skipped[]) => void
  fail: (error: Error) => void
  settled: Promise<Skipped[]>
}

/** Ids in a request. */
const BATCH = 200
/** Milliseconds in which equal changes join one request. */
const GROUP_MS = 250
/** Milliseconds between requests while somebody goes on: quick triage would ask for each mention otherwise. */
const PACE_MS = 5000
const LONGEST_DELAY_MS = 10_000
/** Changes that may wait for the connection. */
export const WAITING_LIMIT = 1000

/** Sends changes in their order, equal ones together. Without a connection they wait. */
export class ChangeQueue {
  private entries: Entry[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  private sending: Promise<void> | null = null
  private due = new Set<Entry>()
  private lastSentAt = Number.NEGATIVE_INFINITY
  private tries = 0

  constructor(private readonly ports: Ports) {}

  get size(): number {
    return this.entries.reduce((sum, { former }) => sum + former.size, 0)
  }

  /** Whether changes wait for the connection. */
  get isWaiting(): boolean {
    return this.tries > 0 && this.entries.length > 0
  }

  /** What is not yet done, in its order. */
  get changes(): QueuedChange[] {
    return this.entries.map(queuedOf)
  }

  /** Resolves with the mentions that could not be changed, or with none as soon as the change waits. */
  async add({ change, former }: QueuedChange): Promise<Skipped[]> {
    if (this.isWaiting && this.size + Object.keys(former).length > WAITING_LIMIT)
      throw new Error(words.queueFull(WAITING_LIMIT))
    const entries = new Set<Entry>()
    for (const [id, values] of Object.entries(former)) {
      if (this.takeBack(id, change)) continue
      const entry = this.entryFor(id, change)
      entry.former.set(id, values)
      entries.add(entry)
    }
    this.sendSoon()
    this.ports.onChange()
    const skipped = await Promise.all([...entries].map((entry) => entry.settled))
    return skipped.flat()
  }

  /** Takes over changes that an earlier page left waiting. */
  restore(changes: readonly QueuedChange[]): void {
    for (const { change, former } of changes) {
      const entry = { ...newEntry(change), former: new Map(Object.entries(former)), isTried: true, waits: true }
      this.entries.push(entry)
    }
    this.tries = Math.max(this.tries, 1)
    this.flush()
  }

  /** Sends everything now. */
  flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.due = new Set(this.entries)
    this.sending ??= this.sendDue().finally(() => {
      this.sending = null
      this.sendSoon()
    })
  }

  /** Resolves when everything that was sent is answered. */
  async sent(): Promise<void> {
    await this.sending
  }

  private sendSoon(): void {
    if (this.isWaiting || this.sending !== null || this.entries.length === 0) return
    this.timer ??= setTimeout(() => this.flush(), Math.max(GROUP_MS, this.lastSentAt + PACE_MS - Date.now()))
  }

  /** Sends everything at once, because the page ends. */
  leave(): void {
    if (this.isWaiting) return
    clearTimeout(this.timer)
    this.timer = undefined
    const unsent = this.entries.filter(({ isTried }) => !isTried)
    this.entries = this.entries.filter(({ isTried }) => isTried)
    for (const entry of unsent) this.send(entry).then(entry.settle, entry.fail)
  }

  /** Forgets what waits, but for what is being sent. */
  discard(): QueuedChange[] {
    const kept = this.sending !== null ? this.entries.slice(0, 1) : []
    const dropped = this.entries.slice(kept.length)
    this.entries = kept
    if (kept.length === 0) this.stopWaiting()
    this.ports.onChange()
    return dropped.map(queuedOf)
  }

  private stopWaiting(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.tries = 0
  }

  /** Whether the change takes an unsent one back, which then needs no request. */
  private takeBack(id: string, change: MentionChange): boolean {
    const last = this.entries.findLast(({ former }) => former.has(id))
    if (last === undefined || last.isTried || JSON.stringify(last.former.get(id)) !== JSON.stringify(change))
      return false
    last.former.delete(id)
    if (last.former.size > 0) return true
    this.entries = this.entries.filter((entry) => entry !== last)
    last.settle([])
    return true
  }

  /** The last entry of the change, unless a later one changes the mention. */
  private entryFor(id: string, change: MentionChange): Entry {
    const key = JSON.stringify(change)
    const at = this.entries.findLastIndex(
      (entry) => entry.key === key && !entry.isTried && entry.former.size < BATCH && !entry.former.has(id),
    )
    const found = this.entries[at]
    if (found !== undefined && !this.entries.slice(at + 1).some(({ former }) => former.has(id))) return found
    const entry = newEntry(change)
    if (this.isWaiting) hold(entry)
    this.entries.push(entry)
    return entry
  }

  private async sendDue(): Promise<void> {
    for (let entry = this.entries[0]; entry !== undefined && this.due.has(entry); entry = this.entries[0]) {
      const sent = entry
      if (!(await this.sendOne(sent))) return
      this.entries = this.entries.filter((present) => present !== sent)
      this.ports.onChange()
    }
    this.stopWaiting()
    this.ports.onChange()
  }

  /** False when the entry waits. */
  private async sendOne(entry: Entry): Promise<boolean> {
    try {
      entry.isTried = true
      this.lastSentAt = Date.now()
      const overtaken = entry.waits ? await this.leaveOut(entry) : []
      const skipped = entry.former.size === 0 ? [] : await this.send(entry)
      entry.settle(skipped)
      if (entry.waits) this.ports.onLate({ ...late(entry, skipped), overtaken })
      return true
    } catch (error) {
      if (canWait(error)) {
        this.wait(error)
        return false
      }
      entry.fail(error as Error)
      const outcome = { sent: null, refused: queuedOf(entry), skipped: [], error: error as Error, overtaken: [] }
      if (entry.waits) this.ports.onLate(outcome)
      return true
    }
  }

  private async leaveOut(entry: Entry): Promise<readonly string[]> {
    const { fitting, overtaken } = await this.ports.review(queuedOf(entry))
    for (const id of [...entry.former.keys()]) if (!fitting.includes(id)) entry.former.delete(id)
    return overtaken
  }

  private async send({ change, former }: Entry): Promise<Skipped[]> {
    const update = this.ports.update ?? updateMentions
    const { skipped } = await update({ ...change, ids: [...former.keys()] })
    return skipped
  }

  private wait(error: ApiError): void {
    this.tries += 1
    for (const entry of this.entries) hold(entry)
    const own = error.retryAfterSeconds
    const delay = own === null ? Math.min(LONGEST_DELAY_MS, 1000 * 2 ** (this.tries - 1)) : own * 1000
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.flush(), delay)
    this.ports.onChange()
  }
}

function newEntry(change: MentionChange): Entry {
  let settle: Entry['settle'] = () => undefined
  let fail: Entry['fail'] = () => undefined
  const settled = new Promise<Skipped[]>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  // Whoever adds a change hears of its failure; a change of an earlier page has nobody who waits.
  settled.catch(() => undefined)
  const key = JSON.stringify(change)
  return { change, key, former: new Map(), isTried: false, waits: false, settle, fail, settled }
}

function hold(entry: Entry): void {
  entry.waits = true
  entry.settle([])
}

function queuedOf({ change, former }: Entry): QueuedChange {
  return { change, former: Object.fromEntries(former) }
}

function late(entry: Entry, skipped: readonly Skipped[]): LateOutcome {
  const former = Object.fromEntries(skipped.map(({ id }) => [id, entry.former.get(id) ?? {}]))
  return {
    sent: queuedOf(entry),
    refused: skipped.length === 0 ? null : { change: entry.change, former },
    skipped,
    error: null,
    overtaken: [],
  }
}

/** Statuses of a service that restarts or is busy, and of a session that ended. */
const PASSING = [0, 401, 429, 502, 503, 504]

function canWait(error: unknown): error is ApiError {
  return error instanceof ApiError && PASSING.includes(error.status)
}
