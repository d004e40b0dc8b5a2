import type { Uuid } from '../../src/kernel/ids.ts'
import { type Reader, sql } from '../../src/store/database.ts'
import { effective, plain, type WorkspaceModel } from './model.ts'

/** How many of the latest entries and events a picture shows. */
const LATEST = 12

/** What a workspace looks like, as lines of text: what can be seen cheaply, after any operation. */
export type Picture = Record<string, unknown>

interface PictureRow {
  id: Uuid
  picture: Picture
}

/** Pictures of these workspaces as the database has them, all of one moment. */
export async function observe(reader: Reader, ids: readonly Uuid[]): Promise<Map<Uuid, string>> {
  const rows = await reader.query<PictureRow>(sql`
    select w.id, jsonb_build_object(
      'balance', w.balance_units, 'lastCredit', w.last_credit_units, 'lowTold', w.low_told, 'welcome', w.welcome_limits,
        'settled', w.settled_through,
      'spent', exists (select from wallet_spent s where s.workspace_id = w.id),
      'effective', w.balance_units - (select coalesce(sum(u.mention_units), 0) from usage_day u
        where u.workspace_id = w.id and u.day > w.settled_through),
      'scored', (select coalesce(jsonb_agg(jsonb_build_array(day, keyword_id, scored, billable, failed)
        order by day, keyword_id), '[]') from (
        select day, keyword_id, sum(scored) as scored, sum(billable) as billable, sum(failed) as failed from usage_day u
        where u.workspace_id = w.id and u.day >= w.settled_through
          group by day, keyword_id having sum(scored) + sum(failed) > 0) u),
      'waiting', (select coalesce(jsonb_agg(jsonb_build_array(m.keyword_id, p.native_id, m.free)
        order by m.keyword_id, p.native_id collate "C"), '[]')
        from score_queue q join mention m on m.workspace_id = q.workspace_id and m.id = q.mention_id
          join post p on p.id = m.post_id where q.workspace_id = w.id),
      'keywords', (select coalesce(jsonb_agg(jsonb_build_array(k.id, k.muted, k.paused_for_balance, k.paused_for_cap,
        k.cap_own, to_char(c.month, 'YYYY-MM'), c.month_mentions)
        order by k.id), '[]') from keyword k join keyword_counter c on c.workspace_id = k.workspace_id
          and c.keyword_id = k.id where k.workspace_id = w.id),
      'entries', (select coalesce(jsonb_agg(jsonb_build_array(kind, amount_units, balance_units, key, day, units)
        order by id), '[]') from (
        select * from ledger_entry e where e.workspace_id = w.id order by id desc limit ${LATEST}) e),
      'events', (select coalesce(jsonb_agg(jsonb_build_array(event, data) order by id), '[]') from (
        select * from delivery d where d.workspace_id = w.id order by id desc limit ${LATEST}) d)) as picture
    from workspace w where w.id = any(${ids}::uuid[])`)
  return new Map(rows.map(({ id, picture }) => [id, plain(picture)]))
}

/** The picture that the model expects. */
export function pictureOf(model: WorkspaceModel): string {
  return plain({
    balance: model.balance,
    lastCredit: model.lastCredit,
    lowTold: model.lowTold,
    welcome: model.welcome,
    settled: model.settled,
    spent: model.spent,
    effective: effective(model),
    scored: scoredLately(model),
    waiting: waiting(model),
    keywords: [...model.keywords.values()]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((keyword) => [
        keyword.id,
        keyword.muted,
        keyword.short,
        keyword.capped,
        keyword.own,
        keyword.month,
        keyword.count,
      ]),
    entries: model.entries
      .slice(-LATEST)
      .map(({ kind, amount, balance, key, day, units }) => [kind, amount, balance, key, day, units]),
    events: model.events.slice(-LATEST).map((text) => JSON.parse(text) as unknown),
  })
}

/** What was scored on the last settled day and since, of each keyword on each day. */
function scoredLately({ usage, settled }: WorkspaceModel): (string | number)[][] {
  const lately = [...usage].filter(([name]) => name.slice(0, settled.length) >= settled)
  return lately
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { scored, billable, failed }]) => [...name.split(' '), scored, billable, failed])
}

/**
 * Which mentions wait, and not only how many: of two posts at once of which a cap admits one, it must be known which it
 * was.
 */
function waiting({ mentions }: WorkspaceModel): (string | boolean)[][] {
  const pairs = [...mentions].filter(([, waitsFor]) => waitsFor !== 'nothing')
  return pairs
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([pair, waitsFor]) => [...pair.split(' '), waitsFor === 'a free score'])
}

/**
 * Everything about the money that the database has of all workspaces and the model does not, or the other way round;
 * empty when they agree.
 */
export async function audit(reader: Reader, models: Iterable<WorkspaceModel>): Promise<string[]> {
  const all = [...models]
  const found: string[] = []
  const seen = await observe(
    reader,
    all.map(({ id }) => id),
  )
  for (const model of all)
    if (seen.get(model.id) !== pictureOf(model))
      found.push(`workspace ${model.id}\n${unlike(seen.get(model.id), pictureOf(model))}`)
  const lists = {
    'ledger of': await listed(
      reader,
      sql`select workspace_id as owner, jsonb_build_array(kind, amount_units, balance_units, key, day,
          units)::text as line from ledger_entry order by workspace_id, id`,
    ),
    'events of': await listed(
      reader,
      sql`select workspace_id as owner, jsonb_build_array(event, data)::text as line from delivery
          order by workspace_id, id`,
    ),
    'keyword-days of': await listed(
      reader,
      sql`select workspace_id as owner, jsonb_build_array(day, keyword_id, units)::text as line from keyword_day
          order by workspace_id, day, keyword_id`,
    ),
    'usage of': await listed(
      reader,
      sql`select workspace_id as owner, jsonb_build_array(day, keyword_id, sum(scored), sum(billable), sum(failed),
          sum(mention_units))::text as line from usage_day
        group by workspace_id, day, keyword_id having sum(scored) + sum(failed) + sum(mention_units) > 0
          order by workspace_id, day, keyword_id`,
    ),
  }
  for (const model of all) {
    const expected = {
      'ledger of': model.entries.map(({ kind, amount, balance, key, day, units }) =>
        plain([kind, amount, balance, key, day, units]),
      ),
      'events of': model.events,
      'keyword-days of': [...model.charged].sort().map((text) => plain([...text.split(' '), 500])),
      'usage of': [...model.usage]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([text, { scored, billable, failed }]) =>
          plain([...text.split(' '), scored, billable, failed, 24 * billable]),
        ),
    }
    for (const [what, lines] of Object.entries(expected)) {
      const actual = lists[what as keyof typeof lists].get(model.id) ?? []
      const at = Math.max(
        lines.findIndex((line, place) => line !== actual[place]),
        lines.length === actual.length ? -1 : Math.min(lines.length, actual.length),
      )
      if (at >= 0)
        report(
          found,
          `${what} ${model.id}, line ${at} of ${actual.length}`,
          actual[at] ?? 'nothing',
          lines[at] ?? 'nothing',
        )
    }
  }
  const unbalanced = await reader.query<{ id: Uuid }>(sql`
    select e.id from ledger_entry e left join ledger_posting p on p.workspace_id = e.workspace_id and p.entry_id = e.id
    group by e.workspace_id, e.id having count(p) <> 2 or sum(p.amount_units) <> 0
      or max(p.amount_units) <> abs(e.amount_units)`)
  for (const { id } of unbalanced) found.push(`the postings of entry ${id} do not add up to nothing`)
  return found
}

/** Each workspace's lines, in the form of the model. */
async function listed(
  reader: Reader,
  statement: ReturnType<typeof sql<{ owner: Uuid; line: string }>>,
): Promise<Map<Uuid, string[]>> {
  const lists = new Map<Uuid, string[]>()
  for (const { owner, line } of await reader.query(statement)) {
    const list = lists.get(owner) ?? []
    list.push(plain(JSON.parse(line)))
    lists.set(owner, list)
  }
  return lists
}

function report(found: string[], what: string, actual: string, expected: string): void {
  if (actual !== expected) found.push(`${what} is\n  ${actual}\nand should be\n  ${expected}`)
}

/** The parts of a picture that are not as expected. */
export function unlike(actual: string | undefined, expected: string): string {
  const [is, should] = [JSON.parse(actual ?? '{}') as Picture, JSON.parse(expected) as Picture]
  const parts = Object.keys(should).filter((part) => plain(is[part]) !== plain(should[part]))
  return parts
    .map((part) => `  ${part} is\n    ${plain(is[part])}\n  and should be\n    ${plain(should[part])}`)
    .join('\n')
}
