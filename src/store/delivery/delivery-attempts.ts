import type { AttemptOutcome } from '../../domain/delivery/status.ts'
import { columns } from '../columns.ts'

export const REQUESTS_STORED = 10

/** Secrets and the caller's values are masked. */
export interface LoggedRequest {
  headers: Record<string, string>
  body: string
}

export interface SentRequest {
  headers: Record<string, string>
  body: string | Buffer
}

export interface AttemptMade {
  at: Date
  durationMs: number
  outcome: AttemptOutcome
  request: SentRequest | null
  /** At most 2 KiB; null without a response. */
  responseExcerpt: string | null
}

/** All requests as one value, with ranges: a list of texts would be quoted and unquoted byte by byte. */
export function requestColumns(sent: readonly (SentRequest | null)[]): {
  from: Buffer
  bytes: Buffer
  requests: Buffer
} {
  const requests = sent.map((request) => (request === null ? [] : requestParts(request)))
  const bytes = requests.map((parts) => parts.reduce((sum, part) => sum + part.length, 0))
  // SQL counts bytes from 1.
  let next = 1
  const from = bytes.map((length) => {
    next += length
    return next - length
  })
  return { from: columns.integers(from), bytes: columns.integers(bytes), requests: Buffer.concat(requests.flat()) }
}

/** JSON has no line feed, so the first ends the headers. */
function requestParts({ headers, body }: SentRequest): Buffer[] {
  return [Buffer.from(`${JSON.stringify(headers)}\n`), typeof body === 'string' ? Buffer.from(body) : body]
}

export function requestFromBytes(bytes: Buffer): LoggedRequest {
  const end = bytes.indexOf('\n')
  return {
    headers: JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, string>,
    body: bytes.toString('utf8', end + 1),
  }
}
