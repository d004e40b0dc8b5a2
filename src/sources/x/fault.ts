import { SourceFault, type SourceReply } from '../contract.ts'
import { faultOfStatus, retryAfterFrom, secondsUntil } from '../reply-fault.ts'

const DAY_SECONDS = 86_400
/** Refusals are short. */
const COMPLAINT_UNITS = 4096

export function faultOf({ status, headers, body }: SourceReply, at: Date): SourceFault | null {
  const complaint = status >= 400 && status < 500 ? body.slice(0, COMPLAINT_UNITS) : ''
  if (complaint.includes('SpendCapReached'))
    return usedUp('the money that the account may spend in a billing cycle is used up')
  if (status === 402 || /CreditsDepleted|problems\/credits/.test(complaint)) {
    return new SourceFault(
      'credentials',
      `X answers no more requests until the account of the token has credits again (status ${status})`,
    )
  }
  if (status !== 429) return faultOfStatus(status, headers, at)
  if (complaint.includes('usage-capped'))
    return usedUp('the number of posts that the account may read in a month is reached')
  const retryAfterSeconds =
    retryAfterFrom(headers['retry-after'], at) ?? secondsUntil(headers['x-rate-limit-reset'], at)
  return new SourceFault('throttled', 'X asks for fewer requests', { retryAfterSeconds })
}

/** The platform does not say when the account may continue. */
function usedUp(message: string): SourceFault {
  return new SourceFault('throttled', message, { retryAfterSeconds: DAY_SECONDS, daily: true })
}
