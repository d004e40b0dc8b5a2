import { expect, test } from 'vitest'
import { useFreshResource } from '../../../test/use-world.ts'
import { deleteChannel } from '../../commands/channels/delete-channel.ts'
import { startDelivering } from '../../operations/deliveries/delivering.suite.ts'
import { DatabaseUnavailable, sql } from '../../store/database.ts'
import { pruneGoneChannels } from '../../store/delivery/prune-deliveries.ts'

const here = useFreshResource(startDelivering)

test('while the database is away before an attempt, nobody was asked and no attempt is counted', async () => {
  const { channelId, receiver } = await here.route()
  const id = await here.due(channelId)
  let absences = 6
  const before = () => {
    absences -= 1
    return absences < 0
      ? Promise.resolve({ kind: 'go' as const, settings: {} })
      : Promise.reject(new DatabaseUnavailable(new Error('gone')))
  }
  here.run({ around: { webhook: { before } } })
  await here.soon(async () => expect(await here.rowOf(id)).toMatchObject({ status: 'delivered', attempts: 1 }), 2000)
  expect(receiver.received).toHaveLength(1)
})

test('what a receiver has taken is not sent again because nothing could be noted beside', async () => {
  const { channelId, receiver } = await here.route()
  const id = await here.due(channelId)
  here.run({ around: { webhook: { after: () => Promise.reject(new DatabaseUnavailable(new Error('gone'))) } } })
  await here.soon(async () => expect(await here.rowOf(id)).toMatchObject({ status: 'delivered', attempts: 1 }), 2000)
  expect(receiver.received).toHaveLength(1)
})

test('of a delivery whose log was removed while its request was on the wire, nothing is kept', async () => {
  const { channelId, receiver } = await here.route()
  const { world, acme } = here
  await here.due(channelId)
  const after = async () => {
    await deleteChannel(acme, channelId)
    await pruneGoneChannels(world.db)
  }
  const { stop } = here.run({ around: { webhook: { after } } })
  await here.soon(() => expect(receiver.received).toHaveLength(1), 50)
  await stop()
  expect(await world.db.query(sql`select from delivery_attempt`)).toEqual([])
})
