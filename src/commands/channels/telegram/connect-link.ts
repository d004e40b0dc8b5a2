import { type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import { MINUTE_MS, plus } from '../../../kernel/clock.ts'
import { newSecret } from '../../../kernel/secrets.ts'
import { type ChannelPlace, putLink } from '../../../store/channel/telegram.ts'
import type { Transaction } from '../../../store/database.ts'
import type { Services } from '../../writing.ts'

/** How long a chat can be connected by a link. */
export const CONNECT_MS = 15 * MINUTE_MS

/** A link that opens a chat with the bot, in which it connects that chat to a channel. */
export interface ConnectLink {
  url: string
  /** Writes down which channel it is for; the link that the channel had before is worth nothing then. */
  keep(tx: Transaction, place: ChannelPlace): Promise<void>
}

/** A new link, or why there is none. */
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
      'Telegram does not say who the bot of this installation is; try again, or check its token',
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
