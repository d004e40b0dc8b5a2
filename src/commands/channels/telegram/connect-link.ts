import { type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import { MINUTE_MS, plus } from '../../../kernel/clock.ts'
import { newSecret } from '../../../kernel/secrets.ts'
import { type ChannelPlace, putLink } from '../../../store/channel/telegram.ts'
import type { Transaction } from '../../../store/database.ts'
import type { Services } from '../../writing.ts'

export const CONNECT_MS = 15 * MINUTE_MS

export interface ConnectLink {
  url: string
  /** Stores the link for a channel; the channel's previous link becomes invalid. */
  keep(tx: Transaction, place: ChannelPlace): Promise<void>
}

export async function makeConnectLink({
  telegram,
  clock,
}: Pick<Services, 'telegram' | 'clock'>): Promise<
  ConnectLink | Refusal<'telegram_not_configured' | 'upstream_unavailable'>
> {
  if (telegram === null) return refuse('telegram_not_configured', 'Telegram is not set up on this installation')
  const name = await telegram.name()
  if (name === null)
    return refuse(
      'upstream_unavailable',
      'Telegram did not identify the bot of this installation. Try again, or check its token.',
    )
  const { text, hash } = newSecret('lnk')
  return {
    url: `https://t.me/${name}?start=${text}`,
    keep(tx, place) {
      const at = clock.now()
      return putLink(tx, place, hash, { at, expiresAt: plus(at, CONNECT_MS) })
    },
  }
}
