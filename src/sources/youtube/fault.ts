import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { SourceFault, type SourceReply } from '../contract.ts'
import { faultOfStatus, retryAfterFrom, saidIn } from '../reply-fault.ts'
import { complaint } from './wire.ts'

const DAY_SECONDS = 86_400
const DAY_USED_UP = new Set(['quotaExceeded', 'dailyLimitExceeded'])
const TOO_FAST = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'RATE_LIMIT_EXCEEDED'])
const NOT_THERE = new Set(['commentsDisabled', 'videoNotFound', 'channelNotFound'])
const KEY_TROUBLE = new Map([
  ['keyInvalid', 'the key is not valid'],
  ['API_KEY_INVALID', 'the key is not valid'],
  ['keyExpired', 'the key has expired'],
  ['dailyLimitExceededUnreg', 'the key was not sent'],
  ['accessNotConfigured', 'the YouTube Data API is not switched on for the project of the key'],
  ['SERVICE_DISABLED', 'the YouTube Data API is not switched on for the project of the key'],
  ['API_KEY_SERVICE_BLOCKED', 'the key is not admitted to the YouTube Data API'],
])

export function faultOf(reply: SourceReply, at: Date): SourceFault | null {
  const { status, headers } = reply
  if (status < 400) return faultOfStatus(status, headers, at)
  const { reasons, message } = complaintIn(reply)
  // The newer form says "rate limit" for daily limits too.
  const tooFast = status === 429 || reasons.some((reason) => TOO_FAST.has(reason))
  if (reasons.some((reason) => DAY_USED_UP.has(reason)) || (tooFast && /\bper day\b/i.test(message))) {
    return new SourceFault('throttled', 'the quota of the key is used up until midnight Pacific time', {
      retryAfterSeconds: secondsToPacificMidnight(at),
      daily: true,
    })
  }
  if (tooFast)
    return new SourceFault('throttled', 'YouTube asks for fewer requests', {
      retryAfterSeconds: retryAfterFrom(headers['retry-after'], at),
    })
  if (reasons.some((reason) => NOT_THERE.has(reason)))
    return new SourceFault('gone', 'the video or channel is gone, or its comments are')
  const trouble = reasons.map((reason) => KEY_TROUBLE.get(reason)).find((words) => words !== undefined)
  return trouble === undefined ? faultOfStatus(status, headers, at) : new SourceFault('credentials', trouble)
}

const PACIFIC = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/Los_Angeles',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** Correct across daylight saving time. */
export function secondsToPacificMidnight(at: Date): number {
  const seconds = DAY_SECONDS - pacificSeconds(at)
  const there = pacificSeconds(plus(at, seconds * SECOND_MS))
  return there > DAY_SECONDS / 2 ? seconds + DAY_SECONDS - there : seconds - there
}

function pacificSeconds(at: Date): number {
  const [hours = 0, minutes = 0, seconds = 0] = PACIFIC.format(at).split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

function complaintIn(reply: SourceReply): { reasons: string[]; message: string } {
  const error = saidIn(reply, complaint)?.error
  const named = [...(error?.errors ?? []), ...(error?.details ?? [])]
  return { reasons: named.flatMap(({ reason }) => reason ?? []), message: error?.message ?? '' }
}
