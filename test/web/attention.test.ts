import { expect } from 'vitest'
import { toId } from '../../src/kernel/ids.ts'
import { createPerson } from '../people.ts'
import { makeAttentionItem } from '../rows.ts'
import { busy } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { pressKeys, pressNamed, seeAddress, seeNoText, seeText } from './keys.ts'

const dashboard = useDashboard()

async function opened(expected: readonly RegExp[] = []) {
  const { world } = dashboard
  const workspace = await world.workspace('Acme')
  const seeded = await busy(world, workspace)
  const person = await createPerson(world.services, workspace.workspaceId, 'member')
  const { page, open } = await dashboard.newWindow({ person, expected })
  const make = async (state: { resolved?: boolean } = {}) => {
    const data = { channel: { label: 'Desk <b>bold</b>' }, failures: 6 }
    const about = { kind: 'channel.failing', data, at: world.clock.now(), ...state }
    return toId('att', await makeAttentionItem(world, workspace.workspaceId, about))
  }
  const openIds = async (): Promise<string[]> =>
    (await workspace.api('GET', '/v1/attention')).body.data.map(({ id }: { id: string }) => id)
  return { page, open, make, openIds, seeded }
}

test('items are walked, opened and dismissed by keys alone', async () => {
  const { page, open, make, openIds, seeded } = await opened()
  const failing = await make()
  await open('/inbox')
  await seeText(page, 'relevant of')
  await pressKeys(page, 'g t')
  await seeText(page, 'The channel “Desk <b>bold</b>” accepts no deliveries')
  await pressKeys(page, 'j')
  await seeAddress(page, `/attention?item=${failing}`)
  await pressKeys(page, 'e')
  await seeText(page, 'Dismiss this item?')
  await pressKeys(page, 'Tab Enter')
  await seeText(page, 'The item is dismissed')
  await seeNoText(page, /accepts no deliveries/)
  expect(await openIds()).toEqual([seeded['item']])
  await seeAddress(page, `/attention?item=${seeded['item']}`)
  await pressKeys(page, 'Enter')
  await seeAddress(page, `/keywords/${seeded['keyword']}`)
})

test('a link to an item that is over shows the item, and one to another workspace says so', async () => {
  const { page, open, make } = await opened([/404/])
  await open(`/attention?item=${await make({ resolved: true })}`)
  await seeText(page, 'The item of your link')
  await seeText(page, /Resolved Since/)
  await open('/attention?item=att_01kg3w5z0yf8hbt2m7q4n9xc6d')
  await seeText(page, 'The item of your link does not exist')
  await pressNamed(page, 'link', 'Resolved')
  await seeText(page, /accepts no deliveries/)
})

test('all open items are dismissed together', async () => {
  const { page, open, make, openIds } = await opened()
  await make()
  await open('/attention')
  await pressNamed(page, 'button', 'Dismiss all')
  await seeText(page, 'Dismiss 2 items?')
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss all' }).click()
  await seeText(page, 'Nothing needs attention')
  expect(await openIds()).toEqual([])
})
