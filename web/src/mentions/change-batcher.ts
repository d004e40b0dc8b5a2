import { type MentionChange, updateMentions } from '../api/mentions.ts'

type Update = (body: MentionChange & { ids: string[] }) => Promise<{ skipped: Skipped[] }>

/** Ids in a request. */
const BATCH = 200
/** Milliseconds in which equal changes join one request. */
const WAIT_MS = 250

export interface Skipped {
  id: string
  code: string
}

interface Waiting {
  change: MentionChange
  ids: Set<string>
  settled: Promise<Skipped[]>
  send: () => void
}

/** Sends equal changes of many mentions together, and at once when the page is left. */
export class ChangeBatcher {
  private readonly waiting = new Map<string, Waiting>()

  constructor(private readonly update: Update = updateMentions) {}

  get size(): number {
    return this.waiting.size
  }

  /** Resolves with the mentions that could not be changed. */
  add(ids: readonly string[], change: MentionChange): Promise<Skipped[]> {
    const key = JSON.stringify(change)
    const batch = this.waiting.get(key) ?? this.open(key, change)
    for (const id of ids) batch.ids.add(id)
    if (batch.ids.size >= BATCH) batch.send()
    return batch.settled
  }

  /** Sends everything now. */
  flush(): void {
    for (const batch of [...this.waiting.values()]) batch.send()
  }

  private open(key: string, change: MentionChange): Waiting {
    const ids = new Set<string>()
    let send: () => void = () => undefined
    const settled = new Promise<void>((resolve) => {
      send = () => {
        this.waiting.delete(key)
        clearTimeout(timer)
        resolve()
      }
    }).then(() => this.send([...ids], change))
    const timer = setTimeout(() => send(), WAIT_MS)
    const batch = { change, ids, settled, send }
    this.waiting.set(key, batch)
    return batch
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
