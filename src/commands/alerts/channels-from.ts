import type { AlertMode } from '../../domain/alert/mode.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { knownChannels } from '../../store/alert/alerts.ts'
import type { Transaction } from '../../store/database.ts'

export type ChannelRefusal = 'unknown_channel' | 'hourly_email_unsupported'

/** The channels of a rule, each once, in the given order. Refuses unknown channels, and e-mail for hourly rules. */
export async function channelsFrom(
  tx: Transaction,
  workspaceId: Uuid,
  mode: AlertMode,
  ids: readonly Uuid[],
): Promise<Uuid[] | Refusal<ChannelRefusal>> {
  const kinds = await knownChannels(tx, workspaceId, ids)
  const unknown = ids.find((id) => !kinds.has(id))
  if (unknown !== undefined)
    return refuse('unknown_channel', `There is no channel ${toId('dest', unknown)} in this workspace`)
  const mail = mode === 'hourly' ? ids.find((id) => kinds.get(id) === 'email') : undefined
  if (mail !== undefined)
    return refuse(
      'hourly_email_unsupported',
      `Hourly rules cannot send e-mail, which ${toId('dest', mail)} does; make the rule daily`,
    )
  return [...new Set(ids)]
}
