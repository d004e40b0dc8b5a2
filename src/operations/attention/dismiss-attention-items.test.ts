import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const dismiss = (body: object, workspace = acme) => workspace.api('POST', '/v1/attention/dismiss', body)
/** An open item about something of its own. */
async function made(workspace = acme): Promise<string> {
  const id = (await workspace.makeOne('att'))!
  await world.db.query(
    sql`update attention_item set subject_id = gen_random_uuid() where workspace_id = ${workspace.workspaceId}
        and id = ${stored('att', id)}`,
  )
  return id
}

const open = async (workspace = acme) =>
  (await workspace.api('GET', '/v1/attention')).body.data.map(({ id }: { id: string }) => id)

test('items are dismissed together, those that do not exist are named, and what was over stays as it was', async () => {
  const [first, second, third] = [await made(), await made(), await made()]
  const ids = [first, second, third]
  const other = await world.workspace('Other')
  const foreign = await made(other)
  expect(await dismiss({ ids: [first, second, second, foreign] })).toMatchObject({
    status: 200,
    body: { dismissed: 2, skipped: [{ id: foreign, code: 'not_found' }] },
  })
  expect([await open(), await open(other)]).toEqual([[third], [foreign]])
  expect((await dismiss({ ids })).body).toEqual({ dismissed: 1, skipped: [] })
  expect((await dismiss({ ids })).body).toEqual({ dismissed: 0, skipped: [] })
})

test('all open items of a kind are dismissed', async () => {
  const id = await made()
  const { kind } = (await acme.api('GET', '/v1/attention')).body.data[0]
  const another = ['keyword.noisy', 'channel.failing'].find((name) => name !== kind)!
  expect((await dismiss({ kind: another })).body).toEqual({ dismissed: 0, skipped: [] })
  expect(await open()).toEqual([id])
  expect((await dismiss({ kind })).body).toEqual({ dismissed: 1, skipped: [] })
  expect(await open()).toEqual([])
})

test.each([[{}], [{ ids: [] }], [{ kind: 'wallet.low' }], [{ ids: ['att_1'], kind: 'keyword.noisy' }]])(
  '%j is refused',
  async (body) => {
    expect((await dismiss(body)).body.error.code).toBe('validation_error')
  },
)

test('several states are listed at once', async () => {
  const id = await made()
  const listed = async (query: string) =>
    (await acme.api('GET', `/v1/attention?${query}`)).body.data.map((item: { id: string }) => item.id)
  expect(await listed('status=open,dismissed')).toEqual(await listed('status=all'))
  expect(await listed('status=open&status=resolved')).toEqual([id])
})
