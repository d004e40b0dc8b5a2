import type { Mark } from '../../classify/contract.ts'
import { trimOldest } from '../../kernel/concurrency/bounded-cache.ts'
import type { Database } from '../../store/database.ts'
import { readMarks } from '../../store/keyword/marks.ts'
import type { Unscored } from '../../store/model/unscored.ts'

interface CachedMarks {
  version: number
  marks: readonly Mark[]
}

/**
 * Caches the team's verdicts. A mention carries its keyword's version, so a batch without new verdicts needs no query.
 */
export class MarksMemory {
  private readonly db: Database
  private readonly memory = new Map<string, CachedMarks>()

  constructor(db: Database) {
    this.db = db
  }

  /** Mentions of one keyword get the same list, identical while no verdict has changed. */
  async of(mentions: readonly Unscored[]): Promise<(mention: Unscored) => readonly Mark[]> {
    await this.readNew(mentions)
    const known = new Map(mentions.map(({ keywordId }) => [keywordId, this.memory.get(keywordId)?.marks ?? NONE]))
    trimOldest(this.memory, KEYWORDS_MAX)
    return (mention) => known.get(mention.keywordId) ?? NONE
  }

  private async readNew(mentions: readonly Unscored[]): Promise<void> {
    const { memory } = this
    const wanted = new Map<string, Unscored>()
    for (const mention of mentions)
      if (mention.marksVersion > (memory.get(mention.keywordId)?.version ?? 0)) wanted.set(mention.keywordId, mention)
    const unread = [...wanted.values()]
    while (unread.length > 0) {
      for (const { keywordId, version, marks } of await readMarks(this.db, unread.splice(0, READ_TOGETHER))) {
        memory.delete(keywordId)
        memory.set(keywordId, { version, marks })
      }
    }
  }
}

/** Keywords per statement, which return a few megabytes at most. */
const READ_TOGETHER = 50
const NONE: readonly Mark[] = []
/** Cached keywords: 60 verdicts of 1000 characters each come to about 60 MB at most. */
const KEYWORDS_MAX = 500
