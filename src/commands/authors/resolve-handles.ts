import type { Handle } from '../../domain/person/handle.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import { TimeUp, withinTime } from '../../kernel/concurrency/time-limit.ts'
import { type CollectContext, type Source, SourceFault } from '../../sources/contract.ts'
import { DatabaseUnavailable } from '../../store/database.ts'
import type { AuthorIdentity } from '../../store/mention/author-identities.ts'
import type { Services } from '../writing.ts'

const AT_ONCE = 5

export interface Resolved {
  /** With a null id for a handle unknown to the platform. */
  answered: AuthorIdentity[]
  /** Not asked, failed, or out of time. */
  unanswered: Handle[]
}

/** Asks for at most `limitMs` in all. A failing platform gets no further requests, unless only that handle failed. */
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
  const known = new Set(answered.map(handleNameOf))
  return { answered, unanswered: handles.filter((handle) => !known.has(handleNameOf(handle))) }
}

export function handleNameOf({ platform, handle }: Handle): string {
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
    // Without the database no answer could be stored.
    if (error instanceof DatabaseUnavailable) throw error
    if (!context.signal.aborted)
      context.log.warn(
        { event: 'author.resolve_failed', err: error, platform: source.platform },
        'A handle could not be resolved; will retry',
      )
    return { kind: error instanceof SourceFault && error.onlyThis ? 'handle_failed' : 'platform_failed' }
  }
}
