import { expect } from 'vitest'
import { createPerson } from '../people.ts'
import { useWorkspace } from '../use-world.ts'
import { busy } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { SHOW_MS, seeText } from './keys.ts'

const { world, newWindow } = useDashboard()
const acme = useWorkspace(world, 'Acme')

test('the inbox asks for at most nine things until it can be used, and for members only when somebody assigns', async () => {
  await busy(world, acme)
  const person = await createPerson(world.services, acme.workspaceId, 'owner')
  const { page, open } = await newWindow({ person })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await open('/inbox')
  await seeText(page, '3 relevant of 4')
  // The views are the first of what the page asks for once the list is shown.
  const before = asked.slice(0, asked.indexOf('/v1/views'))
  process.stdout.write(`Requests until the inbox can be used: ${before.length} (${before.join(', ')})\n`)
  expect(before).toContain('/v1/mentions')
  expect(before.length).toBeLessThanOrEqual(9)

  // Twice would mean that the shell announces another request than the page makes.
  for (const path of ['/session', '/v1/mentions']) expect(asked.filter((other) => other === path)).toHaveLength(1)
  expect(asked).not.toContain('/v1/members')
  await page.keyboard.press('a')
  await page.getByRole('button', { name: /\(me\)/ }).waitFor({ timeout: SHOW_MS })
  expect(asked.filter((path) => path === '/v1/members')).toHaveLength(1)
})
