import { beforeAll, expect, test } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import { removePosts } from '../../commands/mentions/remove-posts.ts'
import { updateMentions } from '../../commands/mentions/update-mentions.ts'
import type { TriageChange } from '../../domain/mention/triage.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../database.ts'
import { readUnscored } from '../model/unscored.ts'
import { MARK_CHARACTERS, readMarks } from './marks.ts'

let keyword: TestKeyword
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(() => world.db.query(sql`update workspace set welcome_limits = false`))

async function scored(text: string, change: { title?: string } = {}): Promise<NewMention> {
  const made = await mention(world, keyword, { text, ...change })
  await score(world, [made])
  return made
}

async function mark(made: NewMention, change: TriageChange): Promise<void> {
  world.clock.advance(SECOND_MS)
  const [key] = await world.db.query<{ id: Uuid }>(
    sql`select id from api_key where workspace_id = ${acme.workspaceId} and scope = 'write'`,
  )
  await updateMentions(acme, { kind: 'api_key', id: key!.id }, [made.mentionId], change)
}

async function marks() {
  const [read] = await readMarks(world.db, [{ workspaceId: acme.workspaceId, keywordId: keyword.uuid }])
  return read!
}

test('reads what the team marked of a keyword, newest first, and gives each change another version', async () => {
  keyword = await makeKeyword(acme)
  expect(await marks()).toEqual({ keywordId: keyword.uuid, version: 0, marks: [] })
  const good = await scored(`a good one${' and on'.repeat(300)}`, { title: 'Title' })
  const noise = await scored('noise')
  await mark(good, { relevant: true })
  await mark(noise, { relevant: false, sentiment: 'negative' })
  expect(await marks()).toEqual({
    keywordId: keyword.uuid,
    version: 2,
    marks: [
      { relevant: false, sentiment: 'negative', text: 'noise' },
      { relevant: true, sentiment: null, text: `Title\na good one${' and on'.repeat(300)}`.slice(0, MARK_CHARACTERS) },
    ],
  })
  await mark(noise, { status: 'done' })
  expect((await marks()).version).toBe(2)
  await mark(good, { relevant: null })
  expect(await marks()).toMatchObject({ version: 3, marks: [{ text: 'noise' }] })
})

test('tells a mention that waits for its score at which version the marks stand, whether it was just made or is read again', async () => {
  keyword = await makeKeyword(acme)
  await mark(await scored('noise'), { relevant: false })
  const made = await mention(world, keyword, { text: 'another' })
  expect(made.marksVersion).toBe(1)
  expect(await readUnscored(world.db, [made])).toEqual([expect.objectContaining({ marksVersion: 1 })])
})

test('forgets the mark of a post that its platform removed', async () => {
  keyword = await makeKeyword(acme)
  const noise = await scored('noise')
  await mark(noise, { relevant: false })
  const [{ post_id: postId }] = (await world.db.query<{ post_id: Uuid }>(
    sql`select post_id from mention where id = ${noise.mentionId}`,
  )) as [{ post_id: Uuid }]
  await world.db.transaction((tx) => removePosts(tx, [postId], world.clock.now()))
  expect(await marks()).toEqual({ keywordId: keyword.uuid, version: 2, marks: [] })
})

test('reads sixty marks along the index, half of them of each kind, however many there are', async () => {
  keyword = await makeKeyword(acme)
  const { mentionId } = await scored('one of very many')
  // The 100,000 stand for years of history; only the table matters here.
  await world.db.query(sql`
    insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, facets,
      scored_at, relevance, feedback_relevant, feedback_at)
    select m.workspace_id, gen_random_uuid(), m.keyword_id, p.id, m.created_at, m.published_at, m.platform, m.is_reply,
      m.facets, m.scored_at, 100,
      case when n % 20 = 0 then n % 100 <> 0 end, case when n % 20 = 0 then m.created_at + n * interval '1 second' end
    from mention m, generate_series(1, 100000) n, lateral (select gen_random_uuid() as id, n as _) p
      where m.workspace_id = ${acme.workspaceId} and m.id = ${mentionId}`)
  await world.db.query(sql`
    insert into post (id, platform, native_id, url, body, links, published_at, collected_at)
    select m.post_id, 0, m.post_id::text, 'https://acme.test', 'text', '{}', m.published_at, m.created_at from mention m
    where m.workspace_id = ${acme.workspaceId} and m.keyword_id = ${keyword.uuid} and m.feedback_at is not null
      on conflict do nothing`)
  await world.db.query(sql`analyze mention`)
  const read = (await marks()).marks
  expect(read).toHaveLength(60)
  expect(read.filter((mark) => mark.relevant === false)).toHaveLength(30)
  const plan = await world.db.query<{ 'QUERY PLAN': string }>(sql`
    explain (analyze, costs off, timing off) select post_id from mention
    where workspace_id = ${acme.workspaceId} and keyword_id = ${keyword.uuid} and feedback_at is not null
      and feedback_relevant = false order by feedback_at desc, id limit 60`)
  const lines = plan.map((row) => row['QUERY PLAN']).join('\n')
  expect(lines).toMatch(/Index Scan using mention_\d+_workspace_id_keyword_id_feedback/)
  // Only those of one moment are put in order by their ids.
  expect(lines).toMatch(/Presorted Key: \S*feedback_at/)
  expect(lines).not.toMatch(/->\s+Sort|Seq Scan/)
})

test('reads marks of one moment in the same order, wherever the rows lie', async () => {
  keyword = await makeKeyword(acme)
  const made = [await scored('one'), await scored('two'), await scored('three')]
  const [key] = await world.db.query<{ id: Uuid }>(
    sql`select id from api_key where workspace_id = ${acme.workspaceId} and scope = 'write'`,
  )
  const ids = made.map(({ mentionId }) => mentionId)
  await updateMentions(acme, { kind: 'api_key', id: key!.id }, ids, { relevant: false })
  const before = await marks()
  expect(before.marks).toHaveLength(3)
  // Another place in the table and in the index.
  for (const id of [...ids].sort())
    await world.db.query(sql`update mention set feedback_at = feedback_at + interval '1 second' where id = ${id}`)
  for (const id of [...ids].sort().reverse())
    await world.db.query(sql`update mention set feedback_at = feedback_at - interval '1 second' where id = ${id}`)
  expect(await marks()).toEqual(before)
})
