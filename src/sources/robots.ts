import robotsModule from 'robots-parser'
import { trimOldest } from '../kernel/concurrency/bounded-cache.ts'
import { type CollectContext, SourceFault } from './contract.ts'
import { faultOfStatus } from './reply-fault.ts'

// Its types describe a default export, its module is the function itself.
const robotsParser = robotsModule as unknown as (typeof robotsModule)['default']

const VALID_MS = 24 * 3_600_000
/** About 100 MB if every file were of the greatest size. */
const MOST_HOSTS = 10_000
/** Google reads 500 KB; rules of real sites end far before this. */
const MOST_CHARACTERS = 10_000

interface Rules {
  isAllowed(address: string): boolean
  untilMs: number
}

/** Remembers the robots.txt of each host for a day. */
export class Robots {
  private readonly hosts = new Map<string, Rules>()

  /** SourceFault 'gone' if the host's robots.txt forbids the address; other faults as the host's. */
  async check(context: CollectContext, address: string): Promise<void> {
    const { origin } = new URL(address)
    const known = this.hosts.get(origin)
    const rules = known && known.untilMs > context.at.getTime() ? known : await this.read(context, origin)
    if (!rules.isAllowed(address))
      throw new SourceFault('gone', 'The robots.txt of the site does not allow programs to read this address.')
  }

  private async read(context: CollectContext, origin: string): Promise<Rules> {
    const text = await rulesOf(context, `${origin}/robots.txt`)
    const parsed = robotsParser(`${origin}/robots.txt`, text.slice(0, MOST_CHARACTERS))
    const rules = {
      isAllowed: (address: string) => parsed.isAllowed(address, context.userAgent) !== false,
      untilMs: context.at.getTime() + VALID_MS,
    }
    this.hosts.set(origin, rules)
    trimOldest(this.hosts, MOST_HOSTS)
    return rules
  }
}

/** RFC 9309: a file that is refused or missing forbids nothing, one that cannot be read now forbids all. */
async function rulesOf(context: CollectContext, address: string): Promise<string> {
  const reply = await context.fetch(address, { redirect: 'manual' })
  const fault = faultOfStatus(reply.status, reply.headers, context.at)
  if (fault === null) return reply.body
  if (fault.kind === 'throttled' || reply.status >= 500) throw fault
  return ''
}
