import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { refuse } from '../../domain/refusal/refusal.ts'
import { sql } from '../database.ts'
import { answerOnce, forgetRequestAnswers, REQUEST_ANSWER_MS } from './request-answers.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

/** Asks for work that leaves a group behind, so that what was done can be counted. */
function ask(requestId: string | undefined, body: unknown, { workspace = acme, operation = 'try', fail = false } = {}) {
  return world.db.transaction((tx) =>
    answerOnce(
      tx,
      { workspaceId: workspace.workspaceId, operation, requestId, body, at: world.clock.now(), sealer: acme.sealer },
      async () => {
        const name = randomUUID()
        const [made] = await tx.query<{ name: string }>(sql`
        insert into keyword_group (workspace_id, id, name, name_folded, is_default, created_at, updated_at)
        values (${workspace.workspaceId}, ${randomUUID()}, ${name}, ${name}, false, ${world.clock.now()},
          ${world.clock.now()}) returning name`)
        return fail ? refuse('conflict', 'no') : { name: made!.name, list: [1, null] }
      },
    ),
  )
}

async function groups(): Promise<number> {
  const [row] = await world.db.query<{ count: number }>(sql`select count(*) from keyword_group`)
  return row!.count
}

test('the same request again is answered the same and does nothing more', async () => {
  const id = randomUUID()
  const first = await ask(id, { a: 1, b: { c: [1, 2], d: null } })
  const before = await groups()
  expect(await ask(id, { b: { d: null, c: [1, 2] }, a: 1 })).toEqual(first)
  expect(await groups()).toBe(before)
})

test('another body under the same id is refused', async () => {
  const id = randomUUID()
  await ask(id, { list: [1, 2] })
  expect(await ask(id, { list: [2, 1] })).toMatchObject({ code: 'request_conflict' })
})

test('requests at the same time become one', async () => {
  const id = randomUUID()
  const before = await groups()
  const answers = await Promise.all([1, 2, 3, 4].map(() => ask(id, {})))
  for (const answer of answers) expect(answer).toEqual(answers[0])
  expect(await groups()).toBe(before + 1)
})

test('the same id counts apart in another workspace and for another operation', async () => {
  const id = randomUUID()
  const other = await world.workspace('Other')
  const before = await groups()
  await ask(id, { a: 1 })
  await ask(id, { a: 2 }, { workspace: other })
  await ask(id, { a: 3 }, { operation: 'other' })
  expect(await groups()).toBe(before + 3)
})

test('without an id everything is done every time', async () => {
  const before = await groups()
  await ask(undefined, {})
  await ask(undefined, {})
  expect(await groups()).toBe(before + 2)
})

test('a refusal is not kept', async () => {
  const id = randomUUID()
  expect(await ask(id, {}, { fail: true })).toMatchObject({ code: 'conflict' })
  expect(await ask(id, {})).toMatchObject({ name: expect.any(String) })
})

test('work that breaks leaves no claim behind', async () => {
  const id = randomUUID()
  const broken = world.db.transaction((tx) =>
    answerOnce(
      tx,
      {
        workspaceId: acme.workspaceId,
        operation: 'try',
        requestId: id,
        body: {},
        at: world.clock.now(),
        sealer: acme.sealer,
      },
      () => Promise.reject(new Error('broken')),
    ),
  )
  await expect(broken).rejects.toThrow('broken')
  expect(await ask(id, {})).toMatchObject({ name: expect.any(String) })
})

test('an id stands for its answer for a day', async () => {
  const id = randomUUID()
  const first = await ask(id, {})
  await world.clock.advance(REQUEST_ANSWER_MS - 1)
  expect(await ask(id, {})).toEqual(first)
  await world.clock.advance(1)
  expect(await ask(id, { other: true })).not.toEqual(first)
})

test('answers of more than a day are forgotten', async () => {
  await ask(randomUUID(), {})
  await world.clock.advance(REQUEST_ANSWER_MS)
  const fresh = randomUUID()
  await ask(fresh, {})
  await world.db.transaction((tx) => forgetRequestAnswers(tx, world.clock.now()))
  expect(await world.db.query(sql`select request_id from request_answer`)).toEqual([{ request_id: fresh }])
})

test('an answer lies sealed in the database, and what cannot be opened is not done again', async () => {
  const id = randomUUID()
  const { name } = (await ask(id, {})) as { name: string }
  const [kept] = await world.db.query<{ row: string }>(
    sql`select a::text as row from request_answer a where request_id = ${id}`,
  )
  expect(kept!.row).toContain('v1.')
  expect(kept!.row).not.toContain(name)
  await world.db.query(sql`update request_answer set answer_sealed = 'v1.AAAA' where request_id = ${id}`)
  expect(await ask(id, {})).toMatchObject({
    code: 'request_conflict',
    message: expect.stringContaining('can no longer be read'),
  })
})
