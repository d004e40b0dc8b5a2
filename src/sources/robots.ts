import robotsModule from 'robots-parser'
import { boundedCache } from '../kernel/concurrency/bounded-cache.ts'
import { askPlace } from './ask-place.ts'
import { type CollectContext, SourceFault } from './contract.ts'
import { faultOfStatus } from './reply-fault.ts'

// Its types describe a default export, its module is the function itself.
const robotsParser = robotsModule as unknown as (typeof robotsModule)['default']

const VALID_MS = 24 * 3_600_000
const MOST_HOSTS = 10_000
/** Google reads 500 KB; rules of real sites end far before this. */
const MOST_CHARACTERS = 10_000
/** Of all hosts together. */
const MOST_KEPT_CHARACTERS = 20_000_000
/** As RFC 9309 asks for. */
const MOST_REDIRECTS = 5

interface Known {
  text: string
  untilMs: number
}

/** Remembers the robots.txt of each host for a day. */
export class Robots {
  private readonly known = boundedCache<Known>({
    most: MOST_HOSTS,
    sizes: { of: ({ text }) => text.length, most: MOST_KEPT_CHARACTERS },
  })

  /**
   * SourceFault 'gone' if the robots.txt of the address's host forbids it; other faults as the host's. The file may
   * redirect within `hosts`.
   */
  async check(context: CollectContext, address: string, hosts: readonly string[]): Promise<void> {
    const file = `${new URL(address).origin}/robots.txt`
    // What a file that has moved says depends on where it may be followed to.
    const key = [file, ...hosts.toSorted()].join(' ')
    const known = this.known.get(key)
    const { text } = known && known.untilMs > context.at.getTime() ? known : await this.read(context, file, hosts, key)
    // Parsed each time: the text takes up a small part of what its rules would.
    if (robotsParser(file, text).isAllowed(address, context.userAgent) === false)
      throw new SourceFault('gone', 'The robots.txt of the site does not allow programs to read this address.')
  }

  private async read(context: CollectContext, file: string, hosts: readonly string[], key: string): Promise<Known> {
    const text = beginningOf(await rulesOf(context, file, hosts))
    const known = { text, untilMs: context.at.getTime() + VALID_MS }
    this.known.set(key, known)
    return known
  }
}

/** Whole lines, since a rule that is cut would forbid more. A copy, since a part would keep the whole in memory. */
function beginningOf(text: string): string {
  const lineEnd = (mark: string) => text.lastIndexOf(mark, MOST_CHARACTERS - 1) + 1
  const end = text.length <= MOST_CHARACTERS ? text.length : Math.max(lineEnd('\n'), lineEnd('\r'))
  return Buffer.from(text.slice(0, end)).toString()
}

/**
 * As RFC 9309 asks for, a file that is refused or missing forbids nothing, and one that fails for now forbids all. One
 * that is too large, or whose redirects may not be followed, forbids nothing either.
 */
async function rulesOf(context: CollectContext, address: string, hosts: readonly string[]): Promise<string> {
  const asked = { address, hosts, headers: {}, mostRedirects: MOST_REDIRECTS }
  const reply = await askPlace(context, asked).catch(nowhere)
  if (reply === null) return ''
  const fault = faultOfStatus(reply.status, reply.headers, context.at)
  if (fault === null) return reply.body
  if (fault.kind === 'throttled' || reply.status >= 500) throw fault
  return ''
}

function nowhere(error: unknown): null {
  if (error instanceof SourceFault && error.onlyThis) return null
  throw error
}
