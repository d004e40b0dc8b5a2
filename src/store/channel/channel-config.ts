import { HIDDEN_VALUE } from '../../domain/delivery/mask.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Sealer } from '../../kernel/sealing.ts'

type Config = Readonly<Record<string, unknown>>

interface Place {
  workspaceId: Uuid
  id: Uuid
}

/** The secret has a binding of its own. */
export function headersBinding({ workspaceId, id }: Place): string {
  return `${workspaceId} ${id} headers`
}

/** Keeps the names of a webhook's headers and seals their values. */
export function sealConfig(sealer: Pick<Sealer, 'seal'>, place: Place, config: Config): Record<string, unknown> {
  const { headers, ...rest } = config
  if (!isOpen(headers)) return { ...config }
  const names = Object.keys(headers)
  if (names.length === 0) return { ...rest, headers: [] }
  return { ...rest, headers: names, headersSealed: sealer.seal(JSON.stringify(headers), headersBinding(place)) }
}

/** Also opens settings from before headers were sealed; null when this installation's key does not fit. */
export function openConfig(sealer: Pick<Sealer, 'open'>, place: Place, stored: Config): Record<string, unknown> | null {
  const { headers, headersSealed, ...rest } = stored
  if (!Array.isArray(headers)) return { ...stored }
  if (headers.length === 0) return { ...rest, headers: {} }
  const opened = typeof headersSealed === 'string' ? sealer.open(headersSealed, headersBinding(place)) : null
  return opened === null ? null : { ...rest, headers: JSON.parse(opened) as Record<string, string> }
}

export function maskedConfig({ headersSealed: _, headers, ...rest }: Config): Record<string, unknown> {
  return { ...rest, headers: Object.fromEntries((headers as string[]).map((name) => [name, HIDDEN_VALUE])) }
}

function isOpen(headers: unknown): headers is Record<string, string> {
  return typeof headers === 'object' && headers !== null && !Array.isArray(headers)
}
