import { expect, test } from 'vitest'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { newUuid } from '../../kernel/ids.ts'
import { assignNumbers, findNumbered, readNumbers } from './numbers.ts'

const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
const things = (count: number) =>
  Array.from({ length: count }, () => ({ kind: 'mention' as const, id: newUuid(world.clock.now()) }))

test('things are numbered in their order, once', async () => {
  const some = things(3)
  const assign = (wanted: typeof some) => world.db.transaction((tx) => assignNumbers(tx, acme.workspaceId, wanted))
  expect(some.map(({ id }) => id)).toEqual([...(await assign(some)).keys()])
  expect([...(await assign([...some, ...things(1)])).values()].sort()).toEqual([1, 2, 3, 4])
  expect(
    [
      ...(
        await readNumbers(
          world.db,
          acme.workspaceId,
          some.map(({ id }) => id),
        )
      ).values(),
    ].sort(),
  ).toEqual([1, 2, 3])
  expect(await findNumbered(world.db, acme.workspaceId, 'mention', [2, 99])).toEqual(new Map([[2, some[1]!.id]]))
  expect(await findNumbered(world.db, acme.workspaceId, 'keyword', [2])).toEqual(new Map())
})

test('the same things at the same time get the same numbers, and every asker all of them', async () => {
  const some = things(30)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      world.db.transaction((tx) => assignNumbers(tx, acme.workspaceId, turn % 2 === 0 ? some : some.toReversed())),
    ),
  )
  for (const numbers of answers) expect(Object.fromEntries(numbers)).toEqual(Object.fromEntries(answers[0]!))
  expect(new Set(answers[0]!.values()).size).toBe(30)
})

test('a number that was found before the lock is answered too', async () => {
  const some = things(1)
  let first: Promise<unknown> = Promise.resolve()
  await world.db.transaction(async (tx) => {
    await assignNumbers(tx, acme.workspaceId, some)
    first = world.db.transaction((other) => assignNumbers(other, acme.workspaceId, some))
  })
  expect(await first).toEqual(new Map([[some[0]!.id, 1]]))
})
