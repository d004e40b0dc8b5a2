import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, inject } from 'vitest'
import { loadWebBundle, type WebBundle } from '../../src/surfaces/web/bundle.ts'
import { askForValue } from '../on-demand.ts'
import type { Person } from '../people.ts'
import { freePort } from '../stand-ins/free-port.ts'
import { useResource, useWorld } from '../use-world.ts'
import type { World, WorldOptions } from '../world.ts'
import { openBrowser } from './chromium.ts'
import { freezeDate } from './in-page.ts'
import { expectNothing, observe } from './observe.ts'

/** A window of a browser with cookies of its own. */
export interface Window {
  page: Page
  /** What the window observed so far. */
  observed: readonly string[]
  /** Opens an address of the service. */
  open(path: string): Promise<void>
}

export interface WindowOptions {
  /** Who is signed in; nobody by default. */
  person?: Person
  width?: number
  theme?: 'light' | 'dark'
  /** What the window may observe, such as the refusal that a test provokes. */
  expected?: readonly RegExp[]
}

/** The service with the built dashboard, and a browser that reaches it. */
export interface Dashboard {
  world: World
  /** Opens a window that is closed after the test, which fails if the window observed anything unexpected. */
  newWindow(options?: WindowOptions): Promise<Window>
}

/** The fixture of tests of pages: a world with the dashboard, and a browser. */
export function useDashboard(options: WorldOptions = {}): Dashboard {
  const world = useWorld(async () => ({ ...options, port: await freePort(), web: await builtDashboard() }))
  const browser = useResource(openBrowser)
  const opened: { context: BrowserContext; check(): void }[] = []
  afterEach(async () => {
    const windows = opened.splice(0)
    for (const { context } of windows) await context.close()
    for (const { check } of windows) check()
  })
  return {
    world,
    async newWindow({ person, width = 1280, theme = 'light', expected = [] } = {}) {
      const context = await browser.newContext({
        baseURL: world.origin,
        viewport: { width, height: HEIGHT },
        colorScheme: theme,
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'UTC',
      })
      const observed = await observe(context, world.origin)
      opened.push({ context, check: () => expectNothing(observed, expected) })
      if (person !== undefined) await signIn(context, world.origin, person)
      await context.addInitScript(freezeDate, world.clock.now().getTime())
      const page = await context.newPage()
      const open = async (path: string) => void (await page.goto(path, { waitUntil: 'domcontentloaded' }))
      return { page, observed, open }
    },
  }
}

const HEIGHT = 800

async function signIn(context: BrowserContext, url: string, { sessionSecret }: Person): Promise<void> {
  await context.addCookies([{ name: 'earshot_session', value: sessionSecret, url, httpOnly: true, sameSite: 'Lax' }])
}

async function builtDashboard(): Promise<WebBundle> {
  const folder = await askForValue<string>(inject('webBundle'))
  const bundle = loadWebBundle(folder)
  if (bundle === null) throw new Error(`the build of the dashboard left no page in ${folder}`)
  return bundle
}
