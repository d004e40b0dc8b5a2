import { beforeEach, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, store, type TestKeyword } from '../../../test/mentions.ts'
import { createPerson, type Person } from '../../../test/people.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { type Database, sql } from '../../store/database.ts'
import { addMember } from './join-workspace.ts'
import { removeMember } from './remove-member.ts'
import { updateMember } from './update-member.ts'

/** More than two transactions take. */
const MANY = 2100

let owner: Person
let keyword: TestKeyword
const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  owner = await createPerson(world.services, acme.workspaceId, 'owner')
  keyword = await makeKeyword(acme)
})

const join = () => createPerson(world.services, acme.workspaceId, 'member')

async function memberId({ userId }: Person): Promise<Uuid> {
  const [member] = await world.db.query<{ id: Uuid }>(
    sql`select id from membership where workspace_id = ${acme.workspaceId} and user_id = ${userId}`,
  )
  return member!.id
}

/** Gives somebody so many mentions to look after. */
async function give({ userId }: Person, count: number): Promise<void> {
  const posts = Array.from({ length: count }, () => matchedBy(makePost(world), [keyword]))
  const mentions = await store(world, posts, { metered: false })
  const ids = mentions.map(({ mentionId }) => mentionId)
  await world.db.query(
    sql`update mention set assignee_id = ${userId} where workspace_id = ${acme.workspaceId}
        and id = any(${ids}::uuid[])`,
  )
}

async function left({ userId }: Person): Promise<number> {
  const [row] = await world.db.query<{ left: number }>(
    sql`select count(*)::int as left from mention where workspace_id = ${acme.workspaceId} and assignee_id = ${userId}`,
  )
  return row!.left
}

/** A database of which only the first so many transactions come to their end. */
function dyingAfter(transactions: number): Database {
  let count = 0
  return {
    ...world.db,
    transaction: (work) => {
      count += 1
      return count > transactions ? Promise.reject(new Error('the process died')) : world.db.transaction(work)
    },
  }
}

test('who leaves very many mentions behind is taken off all of them, each with one line of history, and nobody else is', async () => {
  const [ann, bob] = [await join(), await join()]
  await give(ann, MANY)
  await give(bob, 3)
  let transactions = 0
  const transaction: Database['transaction'] = (work) => {
    transactions += 1
    return world.db.transaction(work)
  }
  expect(
    await removeMember({ ...acme, db: { ...world.db, transaction } }, owner.userId, await memberId(ann)),
  ).toBeUndefined()
  expect([await left(ann), await left(bob), transactions]).toEqual([0, 3, 4])
  const lines = await world.db.query(sql`
    select count(*)::int as lines, count(distinct mention_id)::int as mentions, min(actor_id::text) as by,
      min(changes::text)::jsonb as changes
    from mention_change where workspace_id = ${acme.workspaceId}`)
  expect(lines).toEqual([
    {
      lines: MANY,
      mentions: MANY,
      by: owner.userId,
      changes: [{ field: 'assignee', from: toId('user', ann.userId), to: null }],
    },
  ])
})

test('access has ended, and the team can be changed, while mentions of the member are still held by somebody else', async () => {
  const [ann, bob] = [await join(), await join()]
  await give(ann, 1)
  const id = await memberId(ann)
  let removal: Promise<unknown> = Promise.resolve()
  await world.db.transaction(async (tx) => {
    await tx.query(
      sql`select from mention where workspace_id = ${acme.workspaceId} and assignee_id = ${ann.userId} for update`,
    )
    removal = removeMember(acme, owner.userId, id)
    while (
      (await world.db.query(sql`select 1 from membership where workspace_id = ${acme.workspaceId} and id = ${id}`))
        .length > 0
    );
    expect((await acme.api('GET', '/v1/whoami', undefined, { key: ann.token })).status).toBe(401)
    expect(isRefusal(await updateMember(acme, owner.userId, await memberId(bob), { role: 'admin' }))).toBe(false)
    expect(await left(ann)).toBe(1)
  })
  expect([await removal, await left(ann)]).toEqual([undefined, 0])
})

test.each([
  ['whoever asks for the same again', async (ann: Uuid, _bob: Person) => ann],
  ['the next removal', async (_ann: Uuid, bob: Person) => memberId(bob)],
])('what a process leaves undone that ends in between is done by %s', async (_, next) => {
  const [ann, bob] = [await join(), await join()]
  await give(ann, 1001)
  const id = await memberId(ann)
  await expect(removeMember({ ...acme, db: dyingAfter(2) }, owner.userId, id)).rejects.toThrow('died')
  expect(await left(ann)).toBe(1)
  await removeMember(acme, owner.userId, await next(id, bob))
  expect(await left(ann)).toBe(0)
})

test('who has come back meanwhile keeps what is theirs', async () => {
  const [ann, bob] = [await join(), await join()]
  await give(ann, 2)
  await expect(removeMember({ ...acme, db: dyingAfter(1) }, owner.userId, await memberId(ann))).rejects.toThrow('died')
  await world.db.transaction((tx) =>
    addMember(tx, world.services, { workspaceId: acme.workspaceId, role: 'member' }, ann.userId, world.clock.now()),
  )
  await removeMember(acme, owner.userId, await memberId(bob))
  expect(await left(ann)).toBe(2)
})

test('what is refused takes nobody off anything, and what another workspace has left undone stays with it', async () => {
  const [ann, bob] = [await join(), await join()]
  await give(ann, 2)
  await give(bob, 2)
  expect(await removeMember(acme, bob.userId, await memberId(ann))).toMatchObject({ code: 'forbidden' })
  await expect(removeMember({ ...acme, db: dyingAfter(1) }, owner.userId, await memberId(bob))).rejects.toThrow('died')
  const other = await world.workspace('Other')
  const boss = await createPerson(world.services, other.workspaceId, 'owner')
  expect(await removeMember(other, boss.userId, newUuid(world.clock.now()))).toMatchObject({ code: 'not_found' })
  expect([await left(ann), await left(bob)]).toEqual([2, 2])
})
