import type { Platform } from '../domain/platform/platforms.ts'
import { type CollectContext, type Cursor, QuotaReached, type SourceBatch, SourceFault } from './contract.ts'

const FIRST_REST_SECONDS = 60
const LONGEST_REST_SECONDS = 3600
/** For a part that is not there. */
const LONGEST_GONE_SECONDS = 86_400

interface Rest {
  failures: number
  untilMs: number
  fault: SourceFault
}

export interface PartsOptions {
  platform: Platform
  /** Servers or sites of the operator's choice, each polled by itself. */
  names: readonly string[]
  poll(context: CollectContext, name: string, cursor: Cursor | null): AsyncIterable<SourceBatch>
  /** Whether a fault met at one part is one of all parts, such as a refused key. */
  concernsAll(fault: SourceFault): boolean
}

/**
 * Polls parts in turn, each with its own cursor. A failed part rests, ever longer, and its siblings go on. Fails only
 * when more than half of the parts are in trouble, or for a fault of all.
 */
export function partsPoller(options: PartsOptions): (context: CollectContext, cursor: Cursor | null) => Polled {
  const parts = new Parts(options)
  return (context, cursor) => parts.poll(context, cursor)
}

type Polled = AsyncIterable<SourceBatch>

class Parts {
  private readonly rests = new Map<string, Rest>()
  /** Where the next poll begins. */
  private first = 0

  constructor(private readonly options: PartsOptions) {}

  async *poll(context: CollectContext, cursor: Cursor | null): Polled {
    const { names } = this.options
    const cursors = new Map(names.map((name) => [name, cursorOf(cursor, name)]))
    const resting = new Map(names.flatMap((name) => this.restOf(name, context.at) ?? []))
    const failed = new Map<string, SourceFault>()
    const asked = [...names.slice(this.first), ...names.slice(0, this.first)].filter((name) => !resting.has(name))
    for (const name of asked) {
      try {
        for await (const batch of this.options.poll(context, name, cursors.get(name) ?? null)) {
          cursors.set(name, batch.cursor)
          yield { events: batch.events, cursor: joined(cursors) }
        }
        this.rests.delete(name)
      } catch (error) {
        // The next poll begins at the part that ends this one, and behind it where this one began there too.
        this.first = (names.indexOf(name) + (name === asked[0] ? 1 : 0)) % names.length
        failed.set(name, this.faultOfPart(error, context))
      }
    }
    this.first = 0
    const [trouble] = [...failed.values(), ...resting.values()]
    // The caller rests then, so that no part rests twice.
    if (trouble && (failed.size + resting.size) * 2 > names.length) throw trouble
    for (const [name, fault] of failed) this.rest(name, fault, context)
  }

  /** Throws what concerns all parts. */
  private faultOfPart(error: unknown, { signal }: CollectContext): SourceFault {
    if (!(error instanceof SourceFault) || signal.aborted) throw error
    if (error instanceof QuotaReached || this.options.concernsAll(error)) throw error
    return error
  }

  private restOf(name: string, at: Date): [[name: string, fault: SourceFault]] | null {
    const rest = this.rests.get(name)
    return rest !== undefined && rest.untilMs > at.getTime() ? [[name, rest.fault]] : null
  }

  private rest(name: string, fault: SourceFault, { at, log }: CollectContext): void {
    const { platform } = this.options
    const failures = (this.rests.get(name)?.failures ?? 0) + 1
    const longest = fault.kind === 'gone' ? LONGEST_GONE_SECONDS : LONGEST_REST_SECONDS
    const backOffSeconds = Math.min(longest, FIRST_REST_SECONDS * 2 ** Math.min(failures - 1, 20))
    const seconds = Math.max(fault.retryAfterSeconds ?? 0, backOffSeconds)
    this.rests.set(name, { failures, untilMs: at.getTime() + seconds * 1000, fault })
    log.warn(
      { event: 'source.part_failed', err: fault, platform, part: name, failures, retryAfterSeconds: seconds },
      'A server or site of a platform failed; the others go on',
    )
  }
}

/** Fields of all parts stand side by side, as `name|field`. */
function joined(cursors: ReadonlyMap<string, Cursor | null>): Cursor {
  return Object.fromEntries(
    [...cursors].flatMap(([name, cursor]) =>
      Object.entries(cursor ?? {}).map(([field, value]) => [`${name}|${field}`, value] as const),
    ),
  )
}

/** Null for a part that was added later, which begins at the present. */
function cursorOf(whole: Cursor | null, name: string): Cursor | null {
  const start = `${name}|`
  const fields = Object.entries(whole ?? {}).filter(([field]) => field.startsWith(start))
  return fields.length === 0
    ? null
    : Object.fromEntries(fields.map(([field, value]) => [field.slice(start.length), value]))
}
