import { releaseMails as release } from '../../../store/channel/email-channels.ts'
import type { Services } from '../../writing.ts'
import { MENTIONS_PER_HOUR } from './limits.ts'

/**
 * Lets mentions go that the hourly limit of e-mail keeps back, the oldest first, as far as their channels have room
 * again.
 */
export function releaseMails({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  return release(db, MENTIONS_PER_HOUR, clock.now())
}
