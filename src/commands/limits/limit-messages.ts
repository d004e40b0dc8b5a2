import type { Uuid } from '../../kernel/ids.ts'
import { NOTIFICATION_BYTES } from '../../store/limit-counts.ts'

/** What a process sends to its peers. */
export interface LimitMessage {
  from: Uuid
  /** Grows with each message of a process. */
  number: number
  /** The sender has just connected and needs the counts of its peers. */
  isNew?: true
  /** The only receiver; all peers when absent. */
  to?: Uuid
  /** Peers that get these counts in a message of their own. */
  except?: readonly Uuid[]
  /** Age of the grants in milliseconds, 0 when absent. */
  agoMs?: number
  /** Grants by key; negative when more were given back. */
  counts?: Readonly<Record<string, number>>
}

export type LimitNews = Omit<LimitMessage, 'from' | 'number' | 'counts'>

/** Longer keys count in each process alone. One key of this length fits a notification, however it is escaped. */
export const KEY_CHARACTERS = 500

/** Splits `counts` over messages that fit notifications; one message without counts when there are none. */
export function writeLimitMessages(
  from: Uuid,
  news: LimitNews,
  counts: ReadonlyMap<string, number>,
  nextNumber: () => number,
): string[] {
  const messages: string[] = []
  const begun = () => `${JSON.stringify({ from, number: nextNumber(), ...news }).slice(0, -1)},"counts":{`
  let text = begun()
  let bytes = Buffer.byteLength(text)
  let isEmpty = true
  for (const [key, count] of counts) {
    const entry = `${JSON.stringify(key)}:${count}`
    const more = Buffer.byteLength(entry) + 1
    if (!isEmpty && bytes + more + CLOSING > NOTIFICATION_BYTES) {
      messages.push(`${text}}}`)
      text = begun()
      bytes = Buffer.byteLength(text)
      isEmpty = true
    }
    text += isEmpty ? entry : `,${entry}`
    bytes += more
    isEmpty = false
  }
  return [...messages, `${text}}}`]
}

/** The two braces at the end. */
const CLOSING = 2

const ID_CHARACTERS = 36

/** Null for any other text: every role of the database can notify. */
export function parseLimitMessage(payload: string): LimitMessage | null {
  const given = parsed(payload)
  if (typeof given !== 'object' || given === null) return null
  const { from, number, agoMs = 0, counts = {}, except = [] } = given as Partial<LimitMessage>
  const isSound =
    typeof from === 'string' &&
    from.length <= ID_CHARACTERS &&
    Number.isSafeInteger(number) &&
    Number.isFinite(agoMs) &&
    agoMs >= 0 &&
    Array.isArray(except) &&
    typeof counts === 'object' &&
    counts !== null &&
    Object.values(counts).every(Number.isSafeInteger)
  return isSound ? (given as LimitMessage) : null
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch {
    return null
  }
}
