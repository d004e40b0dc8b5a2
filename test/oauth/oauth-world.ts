import { revokeGrant } from '../../src/commands/accounts/revoke-grant.ts'
import type { FetchedDocument } from '../../src/domain/oauth/client-document.ts'
import type { Uuid } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import { listGrantsOf } from '../../src/queries/accounts/list-grants-of.ts'
import { sql } from '../../src/store/database.ts'
import { createRestServer } from '../../src/surfaces/rest/server.ts'
import { createBrowser } from '../browser.ts'
import { createWorld, PUBLIC_URL, type World } from '../world.ts'

/** An installation with one person, who owns the workspace Acme and is signed in, for clients that know its address. */
export interface OAuthWorld {
  world: World
  /**
   * Reaches the service under its public address, and nothing else. Addresses that were asked for are kept in `asked`.
   */
  fetch: typeof fetch
  asked: string[]
  /** Has a document found at an address of the web. */
  publish(address: string, document: object): void
  /**
   * Has the person follow an address that a client sends them to, and allow what is asked; answers where they are led.
   */
  allow(address: URL): Promise<URL>
  /** The same with a person who does not allow it. */
  deny(address: URL): Promise<URL>
  /** The person takes back what they allowed to all clients. */
  takeBackGrants(): Promise<void>
  close(): Promise<void>
}

export async function createOAuthWorld(): Promise<OAuthWorld> {
  const world = await createWorld()
  const documents = new Map<string, FetchedDocument>()
  const asked: string[] = []
  const server = createRestServer({
    services: world.services,
    log: createLog('silent'),
    misfit: 'throw',
    fetchDocument: async (address) => documents.get(address) ?? null,
  })
  const origin = await server.listen({ host: '127.0.0.1', port: 0 })
  const browser = createBrowser({ origin, services: world.services })
  await browser.open('/sign-up')
  await browser.press('Create the account', {
    'Your name': 'Ada',
    'E-mail address': 'ada@acme.example',
    Password: 'a very long password',
    'Name of your workspace': 'Acme',
  })

  const decide = async (address: URL, button: string): Promise<URL> => {
    await browser.open(address.href)
    const { leftFor, text } = await browser.press(button)
    if (leftFor === null) throw new Error(`the person was led nowhere: ${text}`)
    return new URL(leftFor)
  }
  return {
    world,
    asked,
    fetch: (input, init) => {
      const { href, pathname, search } = new URL(input instanceof Request ? input.url : input)
      asked.push(href)
      if (!href.startsWith(`${PUBLIC_URL}/`)) throw new TypeError(`nobody answers at ${href}`)
      return fetch(`${origin}${pathname}${search}`, { ...init, redirect: 'manual' })
    },
    publish: (address, document) =>
      void documents.set(address, {
        status: 200,
        contentType: 'application/json',
        cacheControl: null,
        ageSeconds: null,
        text: JSON.stringify(document),
      }),
    allow: (address) => decide(address, 'Allow'),
    deny: (address) => decide(address, 'Do not allow'),
    async takeBackGrants() {
      const { services } = world
      const [person] = await services.db.query<{ id: Uuid }>(sql`select id from user_account`)
      for (const grant of await listGrantsOf(services.db, person!.id, services.clock.now()))
        await revokeGrant(services, person!.id, grant)
    },
    async close() {
      await server.close()
      await world.close()
    },
  }
}
