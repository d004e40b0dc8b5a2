import type { AttemptOutcome } from '../../domain/delivery/status.ts'
import { columns } from '../columns.ts'

/** Of how many attempts of a delivery, the newest, the request is kept. */
export const REQUESTS_KEPT = 10

/** A request as the log shows it: secrets and values that a caller set are masked. */
export interface LoggedRequest {
  headers: Record<string, string>
  body: string
}

/** A request that the log is to show; its body may be encoded already. */
export interface SentRequest {
  headers: Record<string, string>
  body: string | Buffer
}

/** What the log keeps of an attempt beside what the delivery itself tells. */
export interface AttemptMade {
  at: Date
  durationMs: number
  outcome: AttemptOutcome
  /** Null when nothing could be sent. */
  request: SentRequest | null
  /** Safe to store, at most 2 KiB; null when there was no reply. */
  responseExcerpt: string | null
}

/**
 * The bytes of all requests as one value, and where each begins and how long it is: as a list of texts they would be
 * quoted here and unquoted there, letter by letter.
 */
export function requestColumns(sent: readonly (SentRequest | null)[]): {
  from: Buffer
  bytes: Buffer
  requests: Buffer
} {
  const requests = sent.map((request) => (request === null ? [] : requestParts(request)))
  const bytes = requests.map((parts) => parts.reduce((sum, part) => sum + part.length, 0))
  // The first byte is the first for the server.
  let next = 1
  const from = bytes.map((length) => {
    next += length
    return next - length
  })
  return { from: columns.integers(from), bytes: columns.integers(bytes), requests: Buffer.concat(requests.flat()) }
}

/** JSON holds no line feed of its own, so the first one ends the headers. */
function requestParts({ headers, body }: SentRequest): Buffer[] {
  return [Buffer.from(`${JSON.stringify(headers)}\n`), typeof body === 'string' ? Buffer.from(body) : body]
}

/** A request as it was written down. */
export function requestFromBytes(bytes: Buffer): LoggedRequest {
  const end = bytes.indexOf('\n')
  return {
    headers: JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, string>,
    body: bytes.toString('utf8', end + 1),
  }
}
