import type { BrowserContext, Page } from 'playwright-core'
import { afterEach } from 'vitest'
import type { Person } from '../people.ts'
import { useResource } from '../use-world.ts'
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
  /** The language of the browser. */
  locale?: 'en-GB' | 'de-DE'
  /** What the window may observe, such as the refusal that a test provokes. */
  expected?: readonly RegExp[]
}

/** Opens a window that is closed after the test, which fails if the window observed anything unexpected. */
export type NewWindow = (options?: WindowOptions) => Promise<Window>

/** Windows of one browser on a service. Their clocks stand still where a time is given. */
export function useWindows(service: { readonly origin: string }, now: () => Date | null): NewWindow {
  const browser = useResource(openBrowser)
  const opened: { context: BrowserContext; check(): void }[] = []
  afterEach(async () => {
    const windows = opened.splice(0)
    for (const { context } of windows) await context.close()
    for (const { check } of windows) check()
  })
  return async ({ person, width = 1280, theme = 'light', locale = 'en-GB', expected = [] } = {}) => {
    const context = await browser.newContext({
      baseURL: service.origin,
      viewport: { width, height: HEIGHT },
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale,
      timezoneId: 'UTC',
    })
    const observed = await observe(context, service.origin)
    opened.push({ context, check: () => expectNothing(observed, expected) })
    if (person !== undefined) await signIn(context, service.origin, person)
    const time = now()
    if (time !== null) await context.addInitScript(freezeDate, time.getTime())
    const page = await context.newPage()
    const open = async (path: string) => void (await page.goto(path, { waitUntil: 'domcontentloaded' }))
    return { page, observed, open }
  }
}

const HEIGHT = 800

async function signIn(context: BrowserContext, url: string, { sessionSecret }: Person): Promise<void> {
  await context.addCookies([{ name: 'earshot_session', value: sessionSecret, url, httpOnly: true, sameSite: 'Lax' }])
}
