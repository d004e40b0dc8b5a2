import { z } from 'zod'
import type { Log } from '../../kernel/log.ts'
import { SourceFault } from '../contract.ts'

/** Items that report no results or a failure. */
const complaint = z.union([
  z.object({ noResults: z.literal(true) }),
  z.object({ error: z.string().min(1), errorDescription: z.string().nullish().catch(null) }),
])

export class ActorNotes {
  private found = 0
  private notes = 0
  private readonly errors: string[] = []
  private readonly log: Log

  constructor(log: Log) {
    this.log = log
  }

  without(items: readonly unknown[]): unknown[] {
    const results = items.filter((item) => !this.isNote(item))
    this.found += results.length
    return results
  }

  /** Throws if the run returned errors only. */
  judge(): void {
    const [first = null] = this.errors
    if (this.notes > 0)
      this.log.warn(
        { event: 'apify.results_incomplete', notes: this.notes, errors: this.errors.length, first },
        'An Apify actor reports incomplete results',
      )
    if (this.found === 0 && first !== null && this.errors.length === this.notes)
      throw new SourceFault('unavailable', `the actor at Apify found nothing but errors: ${first}`)
  }

  private isNote(item: unknown): boolean {
    const note = complaint.safeParse(item).data
    if (note === undefined) return false
    this.notes += 1
    if ('error' in note && !isNothing(note.error))
      this.errors.push(`${note.error} ${note.errorDescription ?? ''}`.trim().slice(0, 200))
    return true
  }
}

function isNothing(error: string): boolean {
  return /no[ _-]?(?:items|results|posts|videos|data)|not[ _-]?found|empty/i.test(error.slice(0, 200))
}
