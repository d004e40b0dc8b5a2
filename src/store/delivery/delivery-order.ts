import { CLOSING_EVENTS } from '../../domain/attention/account-events.ts'
import { MINUTE_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import type { Database } from '../database.ts'
import { GivenRows, GivenValues, given } from '../given-rows.ts'
import type { DueDelivery } from './due-deliveries.ts'
import { throughIndexes } from './outbox.ts'

const AGAIN_MS = 250
/**
 * Older events wait for nothing: with a hanging receiver, hundreds of first attempts take longer than anybody waits.
 */
const WAITS_MS = 10 * MINUTE_MS

const EVENTS = new GivenRows<DueDelivery>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  id: given.uuid(({ deliveryId }) => deliveryId),
  first_id: given.uuid(({ createdAt }) => firstUuidAt(createdAt)),
  channel_id: given.uuid(({ channelId }) => channelId),
  created_at: given.instant(({ createdAt }) => createdAt),
  keyword: given.text((event) => (isClosing(event) ? null : keywordOf(event))),
})
const ONCE = new GivenValues(['leasedUntil', 'again'], EVENTS.after)

/**
 * Puts off claimed events with untried predecessors of the same change and channel: a keyword's events follow each
 * other, and a closing event follows all. Returns those put off.
 */
export async function putOffFollowers(
  db: Database,
  due: readonly DueDelivery[],
  { at, leasedUntil }: { at: Date; leasedUntil: Date },
): Promise<Set<Uuid>> {
  const events = due.filter(
    (delivery) =>
      delivery.kind === 'event' &&
      delivery.createdAt > plus(at, -WAITS_MS) &&
      (isClosing(delivery) || keywordOf(delivery) !== null),
  )
  if (events.length === 0) return new Set()
  const rows = await db.transaction(async (tx) => {
    await throughIndexes(tx)
    return await tx.run<{ id: Uuid }>(
      'put-off-followers',
      `with follower as materialized (
         select t.workspace_id, t.id from ${EVENTS.unnested}
         where exists (
           select from delivery e where e.workspace_id = t.workspace_id and e.id >= t.first_id and e.id < t.id
             and e.channel_id = t.channel_id and e.created_at = t.created_at
             and e.kind = 'event' and e.status = 'pending' and e.attempts = 0 and (t.keyword is null
               or e.data -> 'keyword' ->> 'id' = t.keyword) offset 0)),
       own as materialized (
         select q.workspace_id, q.delivery_id, q.era from follower f
           join delivery_queue q on q.workspace_id = f.workspace_id and q.delivery_id = f.id
             and q.leased_until = ${ONCE.the.leasedUntil}
         order by q.delivery_id for update of q)
       update delivery_queue q set leased_until = null, due_at = ${ONCE.the.again} from own
       where q.workspace_id = own.workspace_id and q.delivery_id = own.delivery_id and q.era = own.era
       returning q.delivery_id as id`,
      [...EVENTS.values(events), ...ONCE.values({ leasedUntil, again: plus(at, AGAIN_MS) })],
    )
  })
  return new Set(rows.map(({ id }) => id))
}

function isClosing({ event }: DueDelivery): boolean {
  return CLOSING_EVENTS.includes(event)
}

function keywordOf({ data }: DueDelivery): string | null {
  const keyword = data?.['keyword'] as { id?: unknown } | undefined
  return typeof keyword?.id === 'string' ? keyword.id : null
}
