import { expect } from 'vitest'
import type { Role } from '../../src/domain/member/member.ts'
import type { Uuid } from '../../src/kernel/ids.ts'
import { createPerson } from '../people.ts'
import { freshSetups, scriptedSources } from '../stand-ins/sources.ts'
import { axeViolations, COLOUR_RULES } from './axe.ts'
import type { Seed, Seeded } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { isLoaded, sidewaysScroll, textsAmong } from './in-page.ts'
import { controlsMissedByTab, SHOW_MS, seeText } from './keys.ts'
import { PAGES } from './pages.ts'
import { shoot } from './shoot.ts'
import { textsOf, translatedModules } from './translations.ts'

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

const WITHOUT_SCRIPTS = ['account', 'team']
/** Names that the cast gave a view and a rule. */
const GIVEN_NAMES = ['Questions', 'Complaints']
const englishTexts = await textsOnlyInEnglish()

test.each(PAGES.filter(({ name }) => !WITHOUT_SCRIPTS.includes(name)))(
  '$name is German for a German browser, and holds its layout',
  async ({ name, address, seed, role = 'owner', expected: allowed = [] }) => {
    const { person, seeded } = await openedBy(role, seed)
    const { page, open } = await dashboard.newWindow({ person, locale: 'de-DE', expected: allowed })
    await open(filled(address, seeded))
    await page.locator('html[lang=de] main').waitFor({ timeout: SHOW_MS })
    await page.waitForFunction(isLoaded, null, { timeout: SHOW_MS })
    const found: Record<string, unknown> = { english: await page.evaluate(textsAmong, englishTexts) }
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await shoot(page, `${name}-${width}-german`)
      found[width] = await page.evaluate(sidewaysScroll)
    }
    expect(found).toEqual({ english: [], 1280: 0, 768: 0, 320: 0 })
  },
)

/** Texts of the dashboard that no German one equals. */
async function textsOnlyInEnglish(): Promise<string[]> {
  const modules = await translatedModules()
  const german = new Set(modules.flatMap((module) => [...textsOf(module.german).values()]))
  const english = modules.flatMap((module) => [...textsOf(module.english).values()])
  return [...new Set(english)].filter((text) => text.length > 3 && !german.has(text) && !GIVEN_NAMES.includes(text))
}
