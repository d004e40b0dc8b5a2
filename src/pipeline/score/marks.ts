import type { Mark } from '../../classify/contract.ts'
import { forgetOldest } from '../../kernel/concurrency/bounded-memory.ts'
import type { Database } from '../../store/database.ts'
import { readMarks } from '../../store/keyword/marks.ts'
import type { Unscored } from '../../store/model/unscored.ts'

interface Kept {
  version: number
  marks: readonly Mark[]
}

/**
 * What teams said of earlier mentions, kept from batch to batch. Every mention says at which version the marks of its
 * keyword stood when it was read, so a batch whose keywords have no marks, or none that are new, asks the database for
 * nothing. The others are read many together.
 */
export class MarksMemory {
  private readonly db: Database
  private readonly memory = new Map<string, Kept>()

  constructor(db: Database) {
    this.db = db
  }

  /**
   * The marks of each mention's keyword. Mentions of one keyword are given the same list, the same as before when no
   * mark has changed.
   */
  async of(mentions: readonly Unscored[]): Promise<(mention: Unscored) => readonly Mark[]> {
    await this.readNew(mentions)
    const known = new Map(mentions.map(({ keywordId }) => [keywordId, this.memory.get(keywordId)?.marks ?? NONE]))
    // Those that were read first go first; they are read again when they are wanted.
    forgetOldest(this.memory, KEYWORDS_MAX)
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

/** Keywords whose marks one statement answers: a few megabytes at most. */
const READ_TOGETHER = 50
const NONE: readonly Mark[] = []
/** Keywords whose marks are kept: with sixty marks of a thousand characters each, some 60 MB at the very most. */
const KEYWORDS_MAX = 500
