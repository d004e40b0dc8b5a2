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
  const listed = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/mentions', {
    timeout: SHOW_MS,
  })
  await open('/inbox')
  await listed
  const before = [...asked]
  process.stdout.write(`Requests until the inbox can be used: ${before.length} (${before.join(', ')})\n`)
  expect(before.length).toBeLessThanOrEqual(9)

  await seeText(page, '3 relevant of 4')
  expect(asked).not.toContain('/v1/members')
  await page.keyboard.press('a')
  await page.getByRole('button', { name: /\(me\)/ }).waitFor({ timeout: SHOW_MS })
  expect(asked.filter((path) => path === '/v1/members')).toHaveLength(1)
})
