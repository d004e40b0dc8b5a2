import type { QueryClient } from '@tanstack/react-query'
import type { Mention, MentionChange } from '../api/mentions.ts'
import { offerUndo } from '../app/undo.ts'
import { showToast } from '../kit/toast.tsx'
import { ChangeBatcher, type Skipped } from './change-batcher.ts'
import { MentionCache } from './mention-cache.ts'
import { Recount } from './recount.ts'
import { type AssignableMember, changed, inversesOf, type Undo } from './triage.ts'
import { words } from './words.ts'

/** Changes mentions at once where they are shown, then at the server; takes back what the server refuses. */
export class TriageActions {
  members: readonly AssignableMember[] = []
  private readonly cache: MentionCache
  private readonly batcher = new ChangeBatcher()
  private readonly recount: Recount

  constructor(private readonly client: QueryClient) {
    this.cache = new MentionCache(client)
    this.recount = new Recount(client)
    addEventListener('pagehide', () => this.batcher.leave())
  }

  /** `text` says what was done, for the message that offers to undo it. */
  async change(mentions: readonly Mention[], change: MentionChange, text: string): Promise<void> {
    if (mentions.length === 0) return
    const undos = inversesOf(change, mentions)
    this.show(mentions, change)
    offerUndo({ text, revert: () => this.revert(undos) })
    const skipped = await this.send(mentions, change)
    if (skipped.length > 0) showToast({ text: words.skipped(skipped), tone: 'negative' })
  }

  /** Sends what waits, for what must see it done. */
  settle(): Promise<unknown> {
    this.batcher.flush()
    return this.batcher.sent()
  }

  private async revert(undos: readonly Undo[]): Promise<void> {
    await Promise.all(
      undos.map(async ({ ids, change }) => {
        const mentions = ids.flatMap((id) => this.cache.find(id) ?? [])
        this.show(mentions, change)
        const skipped = await this.send(mentions, change, ids)
        if (skipped.length > 0) throw new Error(words.skipped(skipped))
      }),
    )
  }

  private show(mentions: readonly Mention[], change: MentionChange): void {
    this.cache.replace(mentions.map((mention) => changed(mention, change, this.members)))
  }

  /** Shows former values again for what was not changed. */
  private async send(
    mentions: readonly Mention[],
    change: MentionChange,
    ids: readonly string[] = mentions.map(({ id }) => id),
  ): Promise<Skipped[]> {
    try {
      const skipped = await this.batcher.add(ids, change)
      const refused = new Set(skipped.map(({ id }) => id))
      this.cache.replace(mentions.filter(({ id }) => refused.has(id)))
      this.recount.soon()
      void this.client.invalidateQueries({ queryKey: ['mentions', 'history'] })
      return skipped
    } catch (error) {
      this.cache.replace(mentions)
      showToast({ text: words.notSaved((error as Error).message), tone: 'negative' })
      return []
    }
  }
}
