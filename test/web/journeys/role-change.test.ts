import { expect } from 'vitest'
import { createPerson } from '../../people.ts'
import { createStripeStandIn } from '../../stand-ins/stripe.ts'
import { useResource } from '../../use-world.ts'
import { busy } from '../cast.ts'
import { test } from '../chromium.ts'
import { useDashboard } from '../dashboard.ts'
import { pressNamed, seeText } from '../keys.ts'

const stripe = useResource(createStripeStandIn)
const dashboard = useDashboard(() => ({ payments: stripe.payments }))

test('a role changes while a page is open: the next refusal tells who may, and the page follows', async () => {
  const { world } = dashboard
  const workspace = await world.workspace('Acme')
  await busy(world, workspace)
  const [owner, admin] = [
    await createPerson(world.services, workspace.workspaceId, 'owner'),
    await createPerson(world.services, workspace.workspaceId, 'admin'),
  ]
  const { page, open } = await dashboard.newWindow({ person: admin, expected: [/403/] })
  await open('/billing')
  const recharge = page.getByLabel('Recharge by itself')
  await recharge.check()

  const { page: team, open: openTeam } = await dashboard.newWindow({ person: owner })
  await openTeam('/team')
  await team.getByLabel('Manage Person who is admin').click()
  await team.getByRole('combobox', { name: 'Role of Person who is admin' }).selectOption('member')
  await pressNamed(team, 'button', 'Change the role of Person who is admin')
  await seeText(team, 'The role is changed.')

  await pressNamed(page, 'button', 'Save the auto-recharge')
  await seeText(page, 'An admin or owner of the workspace can top up the balance and change the auto-recharge.')
  expect(await recharge.isDisabled()).toBe(true)
  expect((await workspace.api('GET', '/v1/billing/wallet')).body.autoRecharge.enabled).toBe(false)
  await pressNamed(page, 'link', 'Ledger')
  await seeText(page, 'The ledger and the invoices are for admins and owners of the workspace.')
})
