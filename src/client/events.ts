import { jsonIn } from './errors.ts'
import type { ServerEvent } from './stream.ts'
import type { InputOf, Schema } from './types.ts'

type ChangeKind = NonNullable<InputOf<'streamEvents'>['kinds']>[number]

interface Changed<Kind extends ChangeKind> {
  kind: Kind
  /** At most 100 ids. Null where any object of the kind may have changed: load the list again. */
  ids: string[] | null
  /** `lastEventId` with which a later stream continues after this event; null within the first round. */
  position: string | null
}

/** Who triaged. */
export interface ChangeActor {
  kind: 'person' | 'api_key' | 'slack'
  id: string | null
}

/** What changed in the workspace, discriminated by `kind`. */
export type WorkspaceChange =
  | Changed<
      | 'mention.scored'
      | 'attention.opened'
      | 'attention.resolved'
      | 'attention.dismissed'
      | 'keyword.changed'
      | 'wallet.changed'
    >
  | (Changed<'mention.triaged'> & { by?: ChangeActor | null })
  | (Changed<'delivery.changed'> & { channelId: string; status?: Schema<'Delivery'>['status'] })

/** Newest mentions that a stream remembers, because a service may repeat some after a broken connection. */
const REMEMBERED = 2000

/** Yields each mention once. */
export async function* mentionsIn(events: AsyncIterable<ServerEvent>): AsyncGenerator<Schema<'Mention'>> {
  const seen = new Set<string>()
  for await (const { kind, data } of events) {
    if (kind !== 'mention') continue
    const mention = jsonIn(data, 200) as Schema<'Mention'>
    if (seen.has(mention.id)) continue
    seen.add(mention.id)
    if (seen.size > REMEMBERED) seen.delete(seen.values().next().value!)
    yield mention
  }
}

/** Kinds that this client does not know are passed on: callers ignore what they do not handle. */
export async function* changesIn(events: AsyncIterable<ServerEvent>): AsyncGenerator<WorkspaceChange> {
  for await (const { kind, data, position } of events)
    yield { ...(jsonIn(data, 200) as object), kind, position } as WorkspaceChange
}
