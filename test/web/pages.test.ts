import { expect } from 'vitest'
import type { Role } from '../../src/domain/member/member.ts'
import type { Uuid } from '../../src/kernel/ids.ts'
import { createPerson } from '../people.ts'
import { freshSetups, scriptedSources } from '../stand-ins/sources.ts'
import { axeViolations, COLOUR_RULES } from './axe.ts'
import type { Seed, Seeded } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { sidewaysScroll } from './in-page.ts'
import { controlsMissedByTab, seeText } from './keys.ts'
import { PAGES } from './pages.ts'
import { shoot } from './shoot.ts'

const WIDTHS = [1280, 768, 320]

const dashboard = useDashboard(() => ({ sources: scriptedSources(...freshSetups()) }))
const workspaces = new Map<Seed, Promise<{ workspaceId: Uuid; seeded: Seeded }>>()

async function seededBy(seed: Seed) {
  const workspace = await dashboard.world.workspace(`Workspace ${workspaces.size + 1}`)
  return { workspaceId: workspace.workspaceId, seeded: await seed(dashboard.world, workspace) }
}

async function openedBy(role: Role, seed: Seed) {
  if (!workspaces.has(seed)) workspaces.set(seed, seededBy(seed))
  const { workspaceId, seeded } = await workspaces.get(seed)!
  return { person: await createPerson(dashboard.world.services, workspaceId, role), seeded }
}

function filled(address: string, seeded: Seeded): string {
  return address.replace(/:(\w+)/g, (_, name: string) => {
    if (seeded[name] === undefined) throw new Error(`the seed of ${address} makes no ${name}`)
    return seeded[name]
  })
}

test.each(PAGES)('$name is accessible and holds its layout', async (tested) => {
  const { name, address, seed, shows, role = 'owner', expected: allowed = [] } = tested
  const { person, seeded } = await openedBy(role, seed)
  const { page, open } = await dashboard.newWindow({ person, expected: allowed })
  const problems: Record<string, unknown> = {}
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: 'light' })
    await open(filled(address, seeded))
    await seeText(page, shows)
    await shoot(page, `${name}-${width}-light`)
    problems[`${width} light`] = {
      axe: await axeViolations(page),
      sidewaysScroll: await page.evaluate(sidewaysScroll),
      ...(await controlsMissedByTab(page)),
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    await shoot(page, `${name}-${width}-dark`)
    problems[`${width} dark`] = { axe: await axeViolations(page, COLOUR_RULES) }
  }
  const none = { axe: [], sidewaysScroll: 0, unreached: [], ringless: [] }
  const expected = WIDTHS.flatMap((width) => [
    [`${width} light`, none],
    [`${width} dark`, { axe: [] }],
  ])
  expect(problems).toEqual(Object.fromEntries(expected))
})
