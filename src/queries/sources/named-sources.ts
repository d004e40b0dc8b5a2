import { type NamedPlatform, platformFromNumber } from '../../domain/platform/platforms.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { readWorkspacePlaces, type WorkspacePlace } from '../../store/source/workspace-places.ts'
import type { QueryContext } from '../reading.ts'
import { sentenceFor } from './list-sources.ts'

export const NAMED_SOURCE_STATUSES = ['waiting', 'ready', 'failing'] as const

export interface NamedSource {
  id: Id<'src'>
  platform: NamedPlatform
  address: string
  title: string | null
  status: (typeof NAMED_SOURCE_STATUSES)[number]
  lastReadAt: string | null
  lastPostAt: string | null
  nextReadAt: string
  lastError: string | null
  createdAt: string
}

/** Oldest first. */
export async function listNamedSources({ db, workspaceId }: QueryContext): Promise<NamedSource[]> {
  return (await readWorkspacePlaces(db, workspaceId)).map(toApi)
}

export async function findNamedSource({ db, workspaceId }: QueryContext, id: Uuid): Promise<NamedSource | null> {
  const [place] = await readWorkspacePlaces(db, workspaceId, { id })
  return place === undefined ? null : toApi(place)
}

function toApi(place: WorkspacePlace): NamedSource {
  // What happened before does not concern the workspace, and would tell that another one names the place.
  const since = (at: Date | null) => (at !== null && at >= place.createdAt ? at : null)
  const isRead = since(place.lastPolledAt) !== null
  const error = isRead ? place.lastError : null
  return {
    id: toId('src', place.id),
    // Workspaces name places of these platforms only.
    platform: platformFromNumber(place.platform) as NamedPlatform,
    address: place.address,
    title: place.title,
    status: statusOf(isRead, error),
    lastReadAt: since(place.lastSuccessAt)?.toISOString() ?? null,
    lastPostAt: since(place.lastFoundAt)?.toISOString() ?? null,
    nextReadAt: place.dueAt.toISOString(),
    lastError: error === null ? null : reasonFor(error),
    createdAt: place.createdAt.toISOString(),
  }
}

function statusOf(isRead: boolean, error: string | null): NamedSource['status'] {
  if (error !== null) return 'failing'
  return isRead ? 'ready' : 'waiting'
}

/** Sentences of the adapters are for people. Other messages may name addresses of the operator's network. */
function reasonFor(error: string): string {
  const own = error.match(/^(?:gone|shape_changed): ([A-Z].*\.)$/)?.[1]
  return (own ?? sentenceFor(error)).slice(0, 400)
}
