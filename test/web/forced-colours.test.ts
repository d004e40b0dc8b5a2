import { expect } from 'vitest'
import { createPerson } from '../people.ts'
import { useWorkspace } from '../use-world.ts'
import { busy } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { coloursOf } from './in-page.ts'
import { seeText } from './keys.ts'
import { shoot } from './shoot.ts'

const { world, newWindow } = useDashboard()
const acme = useWorkspace(world, 'Acme')

test('with colours that the system forces, filled buttons take a pair of them', async () => {
  const { keyword } = await busy(world, acme)
  const person = await createPerson(world.services, acme.workspaceId, 'owner')
  const { page, open } = await newWindow({ person })
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  await open(`/keywords/${keyword}`)
  await seeText(page, 'Where noise comes from')
  await shoot(page, 'forced-keyword')
  await open('/inbox')
  await seeText(page, 'Open the post')
  await shoot(page, 'forced-inbox')
  const done = page.getByRole('button', { name: 'Done', exact: true })
  const system = { color: 'HighlightText', backgroundColor: 'Highlight' }
  expect(await done.evaluate(coloursOf)).toEqual(await page.evaluate(coloursOf, system))
})
