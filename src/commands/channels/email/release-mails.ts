import { releaseMails as release } from '../../../store/channel/email-channels.ts'
import type { Services } from '../../writing.ts'
import { MENTIONS_PER_HOUR } from './limits.ts'

/** Oldest first, while their channels have room. */
export function releaseMails({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  return release(db, MENTIONS_PER_HOUR, clock.now())
}
