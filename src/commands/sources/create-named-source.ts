import { isHostWithPath } from '../../domain/platform/links.ts'
import type { NamedPlatform } from '../../domain/platform/platforms.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { TimeUp, withinTime } from '../../kernel/concurrency/time-limit.ts'
import { newUuid } from '../../kernel/ids.ts'
import { findNamedSource, type NamedSource } from '../../queries/sources/named-sources.ts'
import { ANY_HOST, type FoundPlace, type PlacesSource, SourceFault } from '../../sources/contract.ts'
import { DatabaseUnavailable } from '../../store/database.ts'
import { insertWorkspacePlace } from '../../store/source/workspace-places.ts'
import { beforeOnce, once } from '../once.ts'
import { refusesMore } from '../workspaces/refuses-more.ts'
import type { WritingContext } from '../writing.ts'

export interface NewNamedSource {
  platform: NamedPlatform
  address: string
  requestId?: string | undefined
}

/** For the page and at most five feeds that it links to. */
const LOOK_UP_MS = 10 * SECOND_MS

/** Looks the place up before it is stored, outside of the transaction. */
export async function createNamedSource(
  writing: WritingContext,
  { requestId, ...input }: NewNamedSource,
): Promise<NamedSource | Refusal<'validation_error' | 'conflict' | 'request_conflict'>> {
  const asked = { operation: 'create-named-source', requestId, body: input }
  const before = await beforeOnce<NamedSource>(writing, asked)
  if (before !== null) return before
  const { clock, db, workspaceId } = writing
  const full = await db.transaction((tx) => refusesMore(tx, workspaceId, 'namedSources'))
  if (full !== null) return full
  const place = await placeFrom(writing, input)
  if (isRefusal(place)) return place
  return once<NamedSource | Refusal<'conflict'>>(writing, asked, async (tx) => {
    const fullNow = await refusesMore(tx, workspaceId, 'namedSources')
    if (fullNow !== null) return fullNow
    const id = newUuid(clock.now())
    const isNew = await insertWorkspacePlace(tx, {
      ...place,
      id,
      workspaceId,
      platform: input.platform,
      at: clock.now(),
    })
    return isNew ? (await findNamedSource({ ...writing, db: tx }, id))! : alreadyNamed(place)
  })
}

async function placeFrom(
  writing: WritingContext,
  input: Omit<NewNamedSource, 'requestId'>,
): Promise<FoundPlace | Refusal<'validation_error'>> {
  const { sources } = writing
  const source = sources.setups.find(({ platform }) => platform === input.platform)?.source
  if (source?.mode !== 'places') return refuseField('platform', 'is switched off on this installation')
  const address = addressFrom(input.address)
  const banned = sources.checkAddress(address)
  return banned ? refuseField('address', banned.reason) : await lookUp(writing, source, address)
}

function alreadyNamed({ address }: FoundPlace): Refusal<'conflict'> {
  return refuse('conflict', `The workspace reads ${address} already.`)
}

function addressFrom(text: string): string {
  const trimmed = text.trim()
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !isHostWithPath(trimmed)
  return hasScheme ? trimmed : `https://${trimmed}`
}

async function lookUp(
  { sources, clock, log }: WritingContext,
  source: PlacesSource,
  address: string,
): Promise<FoundPlace | Refusal<'validation_error'>> {
  try {
    const found = await withinTime({ clock, limitMs: LOOK_UP_MS }, (signal) =>
      source.find(sources.contextFor({ ...source, hosts: [ANY_HOST] }, clock.now(), signal), address),
    )
    // The address may have led to another one.
    const banned = sources.checkAddress(found.address)
    return banned ? refuseField('address', `leads to an address that ${banned.reason}`) : found
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    if (error instanceof TimeUp) return refuseField('address', 'did not answer within 10 seconds; try again')
    if (!(error instanceof SourceFault)) throw error
    log.info({ event: 'source.place_not_found', err: error, platform: source.platform }, 'A named address has no place')
    return refuseField('address', reasonOf(error))
  }
}

/** Messages of `gone` are for people; others may tell of the operator's network. */
function reasonOf({ kind, message }: SourceFault): string {
  if (kind === 'gone') return message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, '')
  if (kind === 'throttled') return 'asks its readers to wait; try again later'
  return kind === 'shape_changed' ? 'leads to something that cannot be read' : 'could not be reached; try again'
}
