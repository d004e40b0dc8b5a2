import { expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { changeRetention } from '../../commands/retention/change-retention.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { sql } from '../../store/database.ts'
import type { Role } from '../definition.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const tokenOf = async (role: Role) => (await createPerson(acme, acme.workspaceId, role)).token
const change = (body: object, key: string) => acme.api('PATCH', '/v1/workspace/retention', body, { key })
const shown = async () => (await acme.api('GET', '/v1/workspace')).body.retention

test('owners choose periods and go back to those of the installation, which everybody sees', async () => {
  const owner = await tokenOf('owner')
  expect((await change({ mentionDays: 90, deliveryDays: 14 }, owner)).status).toBe(200)
  expect(await shown()).toEqual({
    mentions: { days: 90, ownDays: 90, longestDays: null },
    deliveries: { days: 14, ownDays: 14, longestDays: 30 },
  })
  await change({ mentionDays: null }, owner)
  expect(await shown()).toMatchObject({ mentions: { days: null, ownDays: null }, deliveries: { days: 14 } })
  await change({}, owner)
  expect(
    await world.db.query(sql`
      select data from audit_entry where workspace_id = ${acme.workspaceId} and kind = 'workspace.retention_changed'
      order by id`),
  ).toEqual([{ data: { mentionDays: 90, deliveryDays: 14 } }, { data: { mentionDays: null, deliveryDays: 14 } }])
})

test('admins, members and keys change nothing', async () => {
  const before = await shown()
  for (const key of [await tokenOf('admin'), await tokenOf('member'), acme.writeKey])
    expect((await change({ mentionDays: 40 }, key)).body.error.code).toBe('forbidden')
  expect(await shown()).toEqual(before)
})

test('a period longer than that of the installation, or too short, is refused by its field', async () => {
  const owner = await tokenOf('owner')
  for (const body of [{ deliveryDays: 31 }, { deliveryDays: 6 }, { mentionDays: 29 }, { mentionDays: 3651 }])
    expect((await change(body, owner)).body.error.details).toEqual([
      { field: Object.keys(body)[0], reason: expect.stringMatching(/^must be/) },
    ])
  const limited = { ...acme, retention: { mentionDays: 60, deliveryDays: 30 } }
  expect(isRefusal(await changeRetention(limited, { mentionDays: 61 }))).toBe(true)
  expect(await changeRetention(limited, { mentionDays: 60 })).toMatchObject({
    retention: { mentions: { days: 60, ownDays: 60, longestDays: 60 } },
  })
})
