import { expect } from 'vitest'
import { toId } from '../../src/kernel/ids.ts'
import { madeUpPost } from '../makers.ts'
import { makeKeyword, mention } from '../mentions.ts'
import { createPerson } from '../people.ts'
import { useWorkspace } from '../use-world.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { SHOW_MS, seeText } from './keys.ts'

/** A red point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

const { world, newWindow } = useDashboard({
  fetchPicture: async (address) => (address.includes('gone') ? null : { type: 'image/png', bytes: PNG }),
})
const acme = useWorkspace(world, 'Acme')

test('a mention shows the pictures that the server got, leaves out those it did not get, and asks no other host', async () => {
  const keyword = await makeKeyword(acme, { term: 'Northlight' })
  const author = { ...madeUpPost(world.clock.now(), '').author!, avatarUrl: 'https://faces.example/gone.png' }
  const post = { text: 'The Northlight in the sun', imageUrl: 'https://pictures.example/sun.png', author }
  const { mentionId } = await mention(world, keyword, post)
  const person = await createPerson(world.services, acme.workspaceId, 'member')
  const { page, open } = await newWindow({ person, expected: [/404/] })
  await open(`/mentions/${toId('mtn', mentionId)}`)
  await seeText(page, 'The Northlight in the sun')
  const picture = page.getByRole('img', { name: 'Picture of the post' })
  await picture.waitFor({ timeout: SHOW_MS })
  expect(await picture.getAttribute('src')).toBe(`/pictures/${toId('mtn', mentionId)}/post`)
  await page.locator('img[src$="/author"]').waitFor({ state: 'detached', timeout: SHOW_MS })
})
