import { type MentionChange, updateMentions } from '../api/mentions.ts'

type Update = (body: MentionChange & { ids: string[] }) => Promise<{ skipped: Skipped[] }>

/** Ids in a request. */
const BATCH = 200
/** Milliseconds in which equal changes join one request. */
const WAIT_MS = 250
/** Milliseconds between requests while somebody goes on: quick triage would ask for each mention otherwise. */
const PACE_MS = 5000

export interface Skipped {
  id: string
  code: string
}

interface Waiting {
  ids: Set<string>
  settled: Promise<Skipped[]>
  send: () => void
}

/** Sends equal changes of many mentions together and in order, and at once when the page is left. */
export class ChangeBatcher {
  private readonly waiting = new Map<string, Waiting>()
  private lastSentAt = Number.NEGATIVE_INFINITY
  private sending: Promise<unknown> = Promise.resolve()
  private isLeaving = false

  constructor(private readonly update: Update = updateMentions) {}

  /** Resolves with the mentions that could not be changed. */
  add(ids: readonly string[], change: MentionChange): Promise<Skipped[]> {
    const key = JSON.stringify(change)
    // A later change of a mention must not overtake an earlier one.
    if ([...this.waiting].some(([other, batch]) => other !== key && ids.some((id) => batch.ids.has(id)))) this.flush()
    const batch = this.waiting.get(key) ?? this.open(key, change)
    for (const id of ids) batch.ids.add(id)
    if (batch.ids.size >= BATCH) batch.send()
    return batch.settled
  }

  /** Sends everything now. */
  flush(): void {
    for (const batch of [...this.waiting.values()]) batch.send()
  }

  /** Sends everything now, and waits for no answer: a page that is being left gets none. */
  leave(): void {
    this.isLeaving = true
    this.flush()
    this.isLeaving = false
  }

  /** Resolves when everything that was sent is answered. */
  sent(): Promise<unknown> {
    return this.sending
  }

  private open(key: string, change: MentionChange): Waiting {
    const ids = new Set<string>()
    let send: () => void = () => undefined
    const settled = new Promise<Skipped[]>((resolve) => {
      send = () => {
        this.waiting.delete(key)
        clearTimeout(timer)
        this.lastSentAt = Date.now()
        resolve(this.inOrder([...ids], change))
      }
    })
    const timer = setTimeout(() => send(), Math.max(WAIT_MS, this.lastSentAt + PACE_MS - Date.now()))
    const batch = { ids, settled, send }
    this.waiting.set(key, batch)
    return batch
  }

  private inOrder(ids: readonly string[], change: MentionChange): Promise<Skipped[]> {
    const sent = this.isLeaving ? this.send(ids, change) : this.sending.then(() => this.send(ids, change))
    this.sending = sent.catch(() => undefined)
    return sent
  }

  private async send(ids: readonly string[], change: MentionChange): Promise<Skipped[]> {
    const skipped: Skipped[] = []
    for (let at = 0; at < ids.length; at += BATCH) {
      const answer = await this.update({ ...change, ids: ids.slice(at, at + BATCH) })
      skipped.push(...answer.skipped)
    }
    return skipped
  }
}
