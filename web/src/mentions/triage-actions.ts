import { onlineManager, type QueryClient } from '@tanstack/react-query'
import { getMention, listMentions, type Mention, type MentionChange } from '../api/mentions.ts'
import { live } from '../app/live.ts'
import type { Session } from '../app/session.ts'
import { offerUndo } from '../app/undo.ts'
import { showWaiting } from '../app/waiting.ts'
import { showToast } from '../kit/toast.tsx'
import { ChangeQueue, type LateOutcome, type QueuedChange, type Review, type Skipped } from './change-queue.ts'
import { ChangeStore } from './change-store.ts'
import { MentionCache } from './mention-cache.ts'
import { Recount } from './recount.ts'
import { type AssignableMember, changed, has, inverseOf, inversesOf, type Undo } from './triage.ts'
import { words } from './words.ts'

/** Changes mentions at once where they are shown, then at the server; takes back what the server refuses. */
export class TriageActions {
  /** Whom mentions are known to be assigned to, for changes that are undone. */
  private readonly assignees = new Map<string, AssignableMember>()
  private readonly cache: MentionCache
  private readonly store: ChangeStore
  private readonly recount: Recount
  private isKept = true
  private readonly queue = new ChangeQueue({
    review: (queued) => this.review(queued),
    onChange: () => this.follow(),
    onLate: (outcome) => this.report(outcome),
  })

  constructor(
    private readonly client: QueryClient,
    { user, workspace }: Session,
  ) {
    this.cache = new MentionCache(client)
    this.recount = new Recount(client)
    this.store = new ChangeStore(workspace.id, user.id)
    addEventListener('pagehide', () => this.queue.leave())
    addEventListener('beforeunload', (event) => {
      if (this.queue.isWaiting && !this.isKept) event.preventDefault()
    })
    const retry = () => this.queue.isWaiting && this.queue.flush()
    onlineManager.subscribe((isOnline) => isOnline && retry())
    live.watchState(() => live.state === 'live' && retry())
    void this.store.takeOver().then((changes) => changes.length > 0 && this.takeOver(changes))
  }

  /** Makes a member known by name. */
  know(members: readonly AssignableMember[]): void {
    for (const member of members) this.assignees.set(member.userId, member)
  }

  /** `text` says what was done, for the message that offers to undo it. */
  async change(mentions: readonly Mention[], change: MentionChange, text: string): Promise<void> {
    if (mentions.length === 0) return
    const undos = inversesOf(change, mentions)
    for (const { triage } of mentions)
      if (triage.assignee !== null) this.know([{ ...triage.assignee, userId: triage.assignee.id }])
    offerUndo({ text, revert: () => this.revert(undos) })
    const skipped = await this.send(mentions, change)
    if (skipped.length > 0) showToast({ text: words.skipped(skipped), tone: 'negative' })
  }

  /** Sends what waits, for what must see it done. */
  settle(): Promise<unknown> {
    this.queue.flush()
    return this.queue.sent()
  }

  private async revert(undos: readonly Undo[]): Promise<void> {
    await Promise.all(
      undos.map(async ({ ids, change }) => {
        const skipped = await this.send(await this.presentOf(ids), change)
        if (skipped.length > 0) throw new Error(words.skipped(skipped))
      }),
    )
  }

  /** Lists let go of mentions that were shown long ago. */
  private async presentOf(ids: readonly string[]): Promise<Mention[]> {
    return Promise.all(ids.map((id) => this.cache.find(id) ?? getMention(id, AbortSignal.timeout(READ_MS))))
  }

  private show(mentions: readonly Mention[], change: MentionChange): void {
    this.cache.replace(mentions.map((mention) => changed(mention, change, [...this.assignees.values()])))
  }

  /** Shows former values again for what was not changed. */
  private async send(mentions: readonly Mention[], change: MentionChange): Promise<Skipped[]> {
    this.show(mentions, change)
    const former = Object.fromEntries(mentions.map((mention) => [mention.id, inverseOf(change, mention)]))
    try {
      const skipped = await this.queue.add({ change, former })
      const refused = new Set(skipped.map(({ id }) => id))
      this.cache.replace(mentions.filter(({ id }) => refused.has(id)))
      if (!this.queue.isWaiting) this.readAnew()
      return skipped
    } catch (error) {
      this.cache.replace(mentions)
      showToast({ text: words.notSaved((error as Error).message), tone: 'negative' })
      return []
    }
  }

  private readAnew(): void {
    this.recount.soon()
    void this.client.invalidateQueries({ queryKey: ['mentions', 'history'] })
  }

  private takeOver(changes: readonly QueuedChange[]): void {
    for (const { change, former } of changes) this.show(this.shown(Object.keys(former)), change)
    this.queue.restore(changes)
  }

  private shown(ids: readonly string[]): Mention[] {
    return ids.flatMap((id) => this.cache.find(id) ?? [])
  }

  private async review({ change, former }: QueuedChange): Promise<Review> {
    const [fitting, overtaken]: [string[], string[]] = [[], []]
    const present = await readPresent(Object.keys(former))
    for (const [id, values] of Object.entries(former)) {
      const mention = present.get(id)
      if (mention !== undefined && has(mention, values)) fitting.push(id)
      else if (mention === undefined || !has(mention, change)) {
        overtaken.push(id)
        if (mention !== undefined) this.cache.replace([mention])
      }
    }
    return { fitting, overtaken }
  }

  /** Keeps what waits, and says how much. */
  private follow(): void {
    const { isWaiting, size, changes } = this.queue
    this.isKept = this.store.keep(isWaiting ? changes : [])
    showWaiting(isWaiting ? { count: size, discard: () => this.discard() } : null)
  }

  /** Lists may have been read anew before what waited was sent. */
  private report({ sent, refused, skipped, error, overtaken }: LateOutcome): void {
    if (sent !== null) this.show(this.shown(Object.keys(sent.former)), sent.change)
    if (refused !== null) this.putBack([refused])
    if (error !== null) showToast({ text: words.notSaved(error.message), tone: 'negative' })
    if (skipped.length > 0) showToast({ text: words.skipped(skipped), tone: 'negative' })
    if (overtaken.length > 0) showToast({ text: words.overtaken(overtaken.length), tone: 'negative' })
    this.readAnew()
  }

  private putBack(changes: readonly QueuedChange[]): void {
    for (const { former } of [...changes].reverse())
      for (const [id, values] of Object.entries(former)) this.show(this.shown([id]), values)
  }

  private discard(): void {
    const count = this.queue.size
    const dropped = this.queue.discard()
    this.putBack(dropped)
    const revert = async () => {
      for (const { change, former } of dropped) await this.send(await this.presentOf(Object.keys(former)), change)
    }
    offerUndo({ text: words.discarded(count), revert })
  }
}

const READ_MS = 10_000

/** Ids that one request asks for. */
const ASKED = 100

/** Those that are still there, also by muted people. Lists hold snoozed mentions only where these are asked for. */
async function readPresent(ids: readonly string[]): Promise<Map<string, Mention>> {
  const batches = Array.from({ length: Math.ceil(ids.length / ASKED) }, (_, at) =>
    ids.slice(at * ASKED, (at + 1) * ASKED),
  )
  const queries = batches.flatMap((batch) => {
    const query = { ids: batch, includeMuted: true, limit: ASKED }
    return [query, { ...query, snoozed: true }]
  })
  const pages = await Promise.all(queries.map((query) => listMentions(query, AbortSignal.timeout(READ_MS))))
  return new Map(pages.flatMap(({ data }) => data.map((mention) => [mention.id, mention] as const)))
}
