import type { InspectedRequest, Inspections } from '../../../channels/contract.ts'
import {
  INSPECTIONS,
  inspectionTokenIn,
  inspectionUrl,
  isShownHeader,
  type SignatureVerdict,
} from '../../../domain/channel/inspection.ts'
import { HIDDEN_VALUE } from '../../../domain/delivery/mask.ts'
import { newUuid, type Uuid } from '../../../kernel/ids.ts'
import { secretOf } from '../../../kernel/secrets.ts'
import { secretBinding } from '../../../store/channel/channels.ts'
import { countInspected, insertInspected, readSecretsOfUrl } from '../../../store/channel/inspections.ts'
import type { Transaction } from '../../../store/database.ts'
import type { Services } from '../../writing.ts'

type Parts = Pick<Services, 'db' | 'clock' | 'sealer' | 'publicUrl' | 'log'> & {
  isSignedBy(secret: string, request: InspectedRequest, at: Date): boolean
}

/** One transaction and no connection to anywhere else. */
export function createInspections(parts: Parts): Inspections {
  return {
    tokenIn: (url) => inspectionTokenIn(parts.publicUrl, url),
    async take(token, request) {
      const secret = secretOf(token)
      if (secret?.kind !== 'ein') return 404
      try {
        return await parts.db.transaction((tx) => store(tx, parts, { token, hash: secret.hash }, request))
      } catch (err) {
        parts.log.warn({ event: 'inspection.failed', err }, 'Request to an inspection inbox could not be stored')
        return 503
      }
    },
  }
}

async function store(
  tx: Transaction,
  parts: Parts,
  { token, hash }: { token: string; hash: Buffer },
  request: InspectedRequest,
): Promise<200 | 404 | 429> {
  const at = parts.clock.now()
  const inspection = await countInspected(tx, hash, at)
  if (inspection === null) return 404
  if (inspection.count > INSPECTIONS.perMinute) return 429
  const { workspaceId } = inspection
  const url = inspectionUrl(parts.publicUrl, token)
  const verdict = await verdictOn(tx, parts, { workspaceId, url }, request)
  await insertInspected(tx, inspection, { id: newUuid(at), receivedAt: at, ...keptOf(request), ...verdict })
  return 200
}

function keptOf({ headers, body }: InspectedRequest) {
  return {
    headers: shownHeaders(headers),
    body: body.subarray(0, INSPECTIONS.bodyBytes),
    bodyBytes: body.length,
  }
}

/** The channel whose secret fits, or else the oldest that leads here. */
async function verdictOn(
  tx: Transaction,
  { sealer, clock, isSignedBy }: Parts,
  { workspaceId, url }: { workspaceId: Uuid; url: string },
  request: InspectedRequest,
): Promise<{ signature: SignatureVerdict; channelId: Uuid | null }> {
  const channels = await readSecretsOfUrl(tx, workspaceId, url)
  const signer = channels.find(({ id, secretSealed }) => {
    const secret = sealer.open(secretSealed, secretBinding(workspaceId, id))
    return secret !== null && isSignedBy(secret, request, clock.now())
  })
  if (signer !== undefined) return { signature: 'valid', channelId: signer.id }
  const [oldest] = channels
  return oldest === undefined
    ? { signature: 'unknown', channelId: null }
    : { signature: 'invalid', channelId: oldest.id }
}

function shownHeaders(headers: ReadonlyMap<string, string>): Record<string, string> {
  const { headerCharacters } = INSPECTIONS
  return Object.fromEntries(
    [...headers]
      .slice(0, INSPECTIONS.headers)
      .map(([name, value]) => [
        name.slice(0, headerCharacters),
        isShownHeader(name) ? value.slice(0, headerCharacters) : HIDDEN_VALUE,
      ]),
  )
}
