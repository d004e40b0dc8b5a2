import { beforeAll, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, mention, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { liftWelcomeLimits } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import { newId, toId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'

let keyword: TestKeyword
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  await liftWelcomeLimits(world)
  keyword = await makeKeyword(acme)
})

const idOf = ({ mentionId }: NewMention) => toId('mtn', mentionId)
const patch = (body: object) => acme.api('PATCH', '/v1/mentions', body)
const many = (count: number) =>
  store(
    world,
    Array.from({ length: count }, () => matchedBy(makePost(world), [keyword])),
  )

test('all that can take the change are changed, and the others are named with the reason', async () => {
  const [scored, unscored] = [await mention(world, keyword), await mention(world, keyword)]
  await score(world, [scored])
  const foreign = await mention(world, await makeKeyword(await world.workspace('Other')))
  const unknown = newId('mtn', world.clock.now())
  const { status, body } = await patch({
    ids: [unknown, idOf(unscored), idOf(scored), idOf(foreign), idOf(scored)],
    relevant: false,
    status: 'ignored',
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    updated: 1,
    skipped: [
      { id: unknown, code: 'not_found' },
      { id: idOf(unscored), code: 'classification_pending' },
      { id: idOf(foreign), code: 'not_found' },
    ],
  })
  expect((await acme.api('GET', `/v1/mentions/${idOf(scored)}`)).body).toMatchObject({
    status: 'ignored',
    relevant: false,
  })
  expect((await acme.api('GET', `/v1/mentions/${idOf(unscored)}`)).body.status).toBe('open')
  expect(await world.db.query(sql`select status from mention where id = ${foreign.mentionId}`)).toEqual([{ status: 0 }])
})

test('two hundred take as many statements as one', async () => {
  const mentions = await many(200)
  await score(world, mentions)
  const [first, ...rest] = mentions
  const asked = async (ids: string[]) => {
    const before = counted
    expect((await patch({ ids, status: 'done', relevant: false, note: 'Seen.' })).body).toEqual({
      updated: ids.length,
      skipped: [],
    })
    return counted - before
  }
  const counting = countStatements()
  const [value, others] = [await asked([idOf(first!)]), await asked(rest.map(idOf))]
  counting.stop()
  expect(others).toBe(value)
  const rows = await world.db.query(
    sql`select 1 from mention where workspace_id = ${acme.workspaceId} and status = 2 and relevance = 0
        and triage_note = 'Seen.'`,
  )
  expect(rows).toHaveLength(200)
  expect(
    await world.db.query(
      sql`select 1 from mention_change where workspace_id = ${acme.workspaceId} and mention_id = ${first!.mentionId}`,
    ),
  ).toHaveLength(1)
})

test('an assignee who is no member, or a field that is wrong, changes none', async () => {
  const mentions = await many(2)
  const ids = mentions.map(idOf)
  expect((await patch({ ids, assigneeId: newId('user', world.clock.now()), status: 'done' })).body.error.code).toBe(
    'invalid_assignee',
  )
  expect((await patch({ ids, snoozedUntil: 0, status: 'done' })).body.error).toMatchObject({
    code: 'validation_error',
    message: 'snoozedUntil: must be in the future',
  })
  for (const mention of mentions)
    expect((await acme.api('GET', `/v1/mentions/${idOf(mention)}`)).body.status).toBe('open')
})

test.each([
  [[], /^ids: must not be empty/],
  [Array.from({ length: 201 }, () => newId('mtn', new Date(0))), 'ids: must have at most 200 entries'],
  [['mtn_1'], 'ids.0: must be an id that starts with mtn_'],
])('a list of ids that cannot be: %#', async (ids, message) => {
  const { status, body } = await patch({ ids, status: 'done' })
  expect([status, body.error.code]).toEqual([400, 'validation_error'])
  expect(body.error.message).toMatch(message)
})

let counted = 0
/** Counts the statements of transactions from here on. */
function countStatements(): { stop(): void } {
  const { transaction } = world.db
  world.db.transaction = (work) =>
    transaction((tx) =>
      work({
        ...tx,
        query: (statement) => {
          counted += 1
          return tx.query(statement)
        },
        run: (name, text, values) => {
          counted += 1
          return tx.run(name, text, values)
        },
      }),
    )
  return {
    stop() {
      world.db.transaction = transaction
    },
  }
}
