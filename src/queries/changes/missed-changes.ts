import type { Topic } from '../../domain/follower/topics.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, toId, type Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import type { Change } from './change.ts'
import { type TriageRow, triageChangeOf } from './change-rows.ts'
import { type ChangeReading, channelChange, walletChange } from './named-changes.ts'

/** How far back changes can be read. */
const READABLE_MS = DAY_MS
const PAGE = 1000

/** What may have changed since `from`, in pages. Deliveries and keywords are not named, because nothing tells which. */
export function readMissedChanges(reading: ChangeReading, topic: Topic, from: Date): AsyncIterable<Change[]> {
  const oldest = plus(reading.clock.now(), -READABLE_MS)
  return MISSED[topic](reading, from < oldest ? oldest : from)
}

type MissedReader = (reading: ChangeReading, from: Date) => AsyncIterable<Change[]>

const MISSED: Readonly<Record<Topic, MissedReader>> = {
  'mention.scored': readScored,
  'mention.triaged': readTriaged,
  // Told of their channels.
  'delivery.changed': async function* () {},
  'channel.changed': readChannels,
  'attention.opened': (reading, from) => readAttention(reading, 'opened', from),
  'attention.resolved': (reading, from) => readAttention(reading, 'resolved', from),
  'attention.dismissed': (reading, from) => readAttention(reading, 'dismissed', from),
  'wallet.changed': readWallet,
  'keyword.changed': async function* ({ clock }) {
    yield [{ kind: 'keyword.changed', id: null, about: {}, at: clock.now(), key: null }]
  },
}

interface ScoredRow {
  id: Uuid
  scored_at: Date
}

/** By the time of the match, as in the stream of mentions. */
async function* readScored({ db, workspaceId, clock }: ChangeReading, from: Date): AsyncIterable<Change[]> {
  const oldest = firstUuidAt(plus(clock.now(), -READABLE_MS))
  for (let after: ScoredRow | null = null; ; ) {
    const behind: Statement<unknown> =
      after === null ? sql`scored_at >= ${from}` : sql`(scored_at, id) > (${after.scored_at}, ${after.id})`
    const rows: ScoredRow[] = await db.query<ScoredRow>(sql`
      select id, scored_at from mention where workspace_id = ${workspaceId} and id >= ${oldest} and ${behind}
      order by scored_at, id limit ${PAGE}`)
    yield rows.map(({ id, scored_at }) => ({
      kind: 'mention.scored',
      id: toId('mtn', id),
      about: {},
      at: scored_at,
      key: `mention.scored ${id}`,
    }))
    if (rows.length < PAGE) return
    after = rows.at(-1)!
  }
}

async function* readTriaged({ db, workspaceId }: ChangeReading, from: Date): AsyncIterable<Change[]> {
  for (let after = firstUuidAt(from); ; ) {
    const rows: TriageRow[] = await db.query<TriageRow>(sql`
      select id, mention_id, changed_at, actor_kind, actor_id from mention_change
      where workspace_id = ${workspaceId} and id > ${after} order by id limit ${PAGE}`)
    yield rows.map(triageChangeOf)
    if (rows.length < PAGE) return
    after = rows.at(-1)!.id
  }
}

async function* readChannels({ db, workspaceId, clock }: ChangeReading): AsyncIterable<Change[]> {
  const rows = await db.query<{ id: Uuid }>(sql`
    select c.id from channel c where c.workspace_id = ${workspaceId} and exists (
      select from delivery d where d.workspace_id = c.workspace_id and d.channel_id = c.id) order by c.id`)
  yield rows.map(({ id }) => channelChange(id, clock.now()))
}

const MOMENTS = { opened: 'opened_at', resolved: 'resolved_at', dismissed: 'dismissed_at' } as const

async function* readAttention(
  { db, workspaceId }: ChangeReading,
  moment: keyof typeof MOMENTS,
  from: Date,
): AsyncIterable<Change[]> {
  const column = sql.raw(MOMENTS[moment])
  const rows = await db.query<{ id: Uuid; at: Date }>(sql`
    select id, ${column} as at from attention_item where workspace_id = ${workspaceId} and ${column} >= ${from}
    order by ${column}, id`)
  const kind = `attention.${moment}` as const
  yield rows.map(({ id, at }) => ({ kind, id: toId('att', id), about: {}, at, key: `${kind} ${id}` }))
}

async function* readWallet({ db, workspaceId }: ChangeReading, from: Date): AsyncIterable<Change[]> {
  const rows = await db.query<{ id: Uuid; created_at: Date }>(sql`
    select id, created_at from ledger_entry where workspace_id = ${workspaceId} and id >= ${firstUuidAt(from)}
      and created_at >= ${from}`)
  yield rows.map(({ id, created_at }) => walletChange(id, created_at))
}
