import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { silentLog } from '../../src/kernel/log.ts'
import { openDatabase } from '../../src/store/database.ts'
import { createRestServer } from '../../src/surfaces/rest/server.ts'
import { loadWebBundle } from '../../src/surfaces/web/bundle.ts'
import { createPerson } from '../../test/people.ts'
import { freePort } from '../../test/stand-ins/free-port.ts'
import { servicesOn } from '../../test/stand-ins/seeded.ts'
import { findChromium } from '../../test/web/find-chromium.ts'
import { type Chromium, launchChromium } from '../../test/web/launch.ts'
import { openStore } from '../mentions/store.ts'
import { watchVitals } from './in-page.ts'

/** Keeps this store apart from that of the benchmark of mentions. */
const PREFIX = 'earshot-bench-web-'

/** The compiler of a benchmark names functions through a helper, which pages lack. */
const NAMING = 'globalThis.__name = (named) => named'

/** A service with a large workspace, and a browser that is signed in there. */
export interface Stage {
  mentions: number
  origin: string
  chromium: Chromium
  /** What a signed-in browser sends. */
  cookie: { name: string; value: string }
  /** A window with an empty cache. */
  newPage(options?: BrowserContextOptions): Promise<Page>
  close(): Promise<void>
}

export async function raise(bundleFolder: string, mentions: number): Promise<Stage> {
  const { postgres, workspaces } = await openStore({ measured: [mentions], others: 0 }, PREFIX)
  const db = openDatabase({ connection: postgres.connectionString, poolSize: 10, log: silentLog })
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const services = { ...servicesOn(db), publicUrl: origin }
  const person = await createPerson(services, workspaces[0]!.id, 'owner')
  const server = createRestServer({ services, log: silentLog, web: loadWebBundle(bundleFolder) })
  await server.listen({ host: '127.0.0.1', port })
  const scratch = mkdtempSync(join(tmpdir(), 'earshot-bench-chromium-'))
  const chromium = await chromiumIn(scratch)
  const browser = await launchChromium(chromium)
  const cookie = { name: 'earshot_session', value: person.sessionSecret }
  return {
    mentions,
    origin,
    chromium,
    cookie,
    newPage: async (options = {}) => (await signedIn(browser, origin, cookie, options)).newPage(),
    async close() {
      await browser.close()
      rmSync(scratch, { recursive: true, force: true })
      await server.close()
      await services.close()
      await db.close()
      await postgres.stop()
    },
  }
}

async function chromiumIn(scratch: string): Promise<Chromium> {
  const chromium = await findChromium(scratch)
  if (chromium === null)
    throw new Error('No Chromium starts here. Install chromium, or name a program in EARSHOT_CHROMIUM.')
  return chromium
}

async function signedIn(
  browser: Browser,
  origin: string,
  cookie: Stage['cookie'],
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin, locale: 'en-GB', timezoneId: 'UTC', ...options })
  await context.addCookies([{ ...cookie, url: origin, httpOnly: true, sameSite: 'Lax' }])
  await context.addInitScript(NAMING)
  await context.addInitScript(watchVitals)
  return context
}

/** Requests of a page from now on, but for the stream of changes. */
export function countRequests(page: Page): { addresses: string[] } {
  const counted = { addresses: [] as string[] }
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.endsWith('/stream')) counted.addresses.push(pathname)
  })
  return counted
}

/** Opens the inbox and waits until it can be used: rows are there, and how many there are. */
export async function openInbox(page: Page): Promise<void> {
  await page.goto('/inbox', { waitUntil: 'commit' })
  await page.getByRole('grid').getByRole('row').first().waitFor()
  await page.getByText(/^[\d,]+ relevant/).waitFor()
}
