import type { Handle } from '../../domain/person/handle.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import { type CollectContext, type Source, SourceFault } from '../../sources/contract.ts'
import { DatabaseUnavailable } from '../../store/database.ts'
import type { AuthorIdentity } from '../../store/mention/author-identities.ts'
import { TimeUp, withinTime } from '../time-limit.ts'
import type { Services } from '../writing.ts'

/** Handles of one platform that are asked for at the same time. */
const AT_ONCE = 5

/** What became of asking platforms who has a handle. */
export interface Resolved {
  /** With the id of the person, or null where the platform knows nobody of that name. */
  answered: AuthorIdentity[]
  /** Those whose platform cannot be asked, failed, or was not done in time. */
  unanswered: Handle[]
}

/**
 * Asks platforms who has these handles, all at once and for `limitMs` in all, or until `signal` is aborted. A platform
 * that fails is left alone for the rest, unless the trouble is with one handle alone.
 */
export async function resolveHandles(
  services: Services,
  handles: readonly Handle[],
  limitMs: number,
  signal?: AbortSignal,
): Promise<Resolved> {
  const answered: AuthorIdentity[] = []
  const queues = [...byPlatform(handles)].flatMap(([platform, waiting]) => {
    const source = services.sources.setups.find((setup) => setup.platform === platform)?.source
    return source?.resolveAuthor ? [{ source, waiting }] : []
  })
  const work = async ({ source, waiting }: { source: Source; waiting: Handle[] }, ending: AbortSignal) => {
    for (let next = waiting.shift(); next !== undefined && !ending.aborted; next = waiting.shift()) {
      const answer = await ask(source, services.sources.contextFor(source, services.clock.now(), ending), next.handle)
      if (ending.aborted) return
      if (answer.kind === 'told') answered.push({ ...next, id: answer.id })
      if (answer.kind === 'platform_failed') waiting.length = 0
    }
  }
  if (queues.length > 0) {
    try {
      await withinTime({ clock: services.clock, limitMs, signal }, (ending) =>
        Promise.all(queues.flatMap((queue) => Array.from({ length: AT_ONCE }, () => work(queue, ending)))),
      )
    } catch (error) {
      if (!(error instanceof TimeUp) && !signal?.aborted) throw error
    }
  }
  // Nothing is added to the list once the time is up.
  const known = new Set(answered.map(nameOf))
  return { answered, unanswered: handles.filter((handle) => !known.has(nameOf(handle))) }
}

/** What tells a handle from all others. */
export function nameOf({ platform, handle }: Handle): string {
  return `${platform} ${handle}`
}

function byPlatform(handles: readonly Handle[]): Map<Platform, Handle[]> {
  const queues = new Map<Platform, Handle[]>()
  for (const handle of handles) queues.set(handle.platform, [...(queues.get(handle.platform) ?? []), handle])
  return queues
}

type Answer = { kind: 'told'; id: string | null } | { kind: 'handle_failed' | 'platform_failed' }

async function ask(source: Source, context: CollectContext, handle: string): Promise<Answer> {
  try {
    return { kind: 'told', id: (await source.resolveAuthor?.(context, handle)) ?? null }
  } catch (error) {
    // Without the database nothing that the platforms say could be kept.
    if (error instanceof DatabaseUnavailable) throw error
    if (!context.signal.aborted)
      context.log.warn(
        { event: 'author.resolve_failed', err: error, platform: source.platform },
        'A handle could not be resolved; will retry',
      )
    return { kind: error instanceof SourceFault && error.onlyThis ? 'handle_failed' : 'platform_failed' }
  }
}
