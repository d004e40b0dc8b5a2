import { MASK } from '../../domain/delivery/mask.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Sealer } from '../../kernel/sealing.ts'

type Config = Readonly<Record<string, unknown>>

/** The channel that settings belong to. */
interface Place {
  workspaceId: Uuid
  id: Uuid
}

/** What the sealed headers of a channel are bound to; its secret is bound to something else. */
function headersBinding({ workspaceId, id }: Place): string {
  return `${workspaceId} ${id} headers`
}

/**
 * The settings of a channel as they are stored: of a webhook's own headers the names, and their values sealed. Other
 * kinds have none.
 */
export function sealConfig(sealer: Pick<Sealer, 'seal'>, place: Place, config: Config): Record<string, unknown> {
  const { headers, ...rest } = config
  if (!isOpen(headers)) return { ...config }
  const names = Object.keys(headers)
  if (names.length === 0) return { ...rest, headers: [] }
  return { ...rest, headers: names, headersSealed: sealer.seal(JSON.stringify(headers), headersBinding(place)) }
}

/**
 * The settings as their kind knows them, sealed or from before that; null when headers cannot be opened with the key of
 * this installation.
 */
export function openConfig(sealer: Pick<Sealer, 'open'>, place: Place, stored: Config): Record<string, unknown> | null {
  const { headers, headersSealed, ...rest } = stored
  if (!Array.isArray(headers)) return { ...stored }
  if (headers.length === 0) return { ...rest, headers: {} }
  const opened = typeof headersSealed === 'string' ? sealer.open(headersSealed, headersBinding(place)) : null
  return opened === null ? null : { ...rest, headers: JSON.parse(opened) as Record<string, string> }
}

/** As it is shown where headers cannot be opened: their names are still known. */
export function maskedConfig({ headersSealed: _, headers, ...rest }: Config): Record<string, unknown> {
  return { ...rest, headers: Object.fromEntries((headers as string[]).map((name) => [name, MASK])) }
}

function isOpen(headers: unknown): headers is Record<string, string> {
  return typeof headers === 'object' && headers !== null && !Array.isArray(headers)
}
