import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LANGUAGES, type Language } from '../../domain/account/language.ts'
import type { SessionPerson } from '../../queries/accounts/find-session-person.ts'
import { readBeginning } from '../../queries/accounts/read-beginning.ts'
import { isAtHome } from '../auth/at-home.ts'
import { personOf } from '../auth/browser.ts'
import { toSignIn } from '../auth/enter.ts'
import { localPath, withNext } from '../auth/next.ts'
import { leadTo } from '../auth/page.ts'
import { acceptedIn } from '../http/accepted.ts'
import type { BundledFile, WebBundle } from './bundle.ts'
import { DASHBOARD_HOME, FIRST_LIST, PAGE_ADDRESSES } from './page-addresses.ts'
import type { FetchPicture } from './pictures/fetch-picture.ts'
import { servePictures } from './pictures/serve-pictures.ts'

/** No inline code or style, and no other host. Trusted Types refuse text as markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const SHELL_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-cache',
  'Content-Type': 'text/html; charset=utf-8',
  Vary: 'Cookie, Accept-Language',
} as const

const ASSET_HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
  Vary: 'Accept-Encoding',
} as const

/** The dashboard: its shell for every page, its assets, pictures of posts, and `/`, which leads on. */
export function serveWeb(server: FastifyInstance, bundle: WebBundle, fetchPicture: FetchPicture | null): void {
  const shells = new Shells(bundle, fetchPicture !== null)
  if (fetchPicture !== null) servePictures(server, fetchPicture)
  for (const address of PAGE_ADDRESSES)
    server.get(address, async (request, reply) => {
      const person = await personOf(request)
      return refusedEntry(request, reply, person) ?? shells.send(request, reply, person?.user.language ?? null)
    })
  server.get('/', async (request, reply) => leadTo(reply, await beginningOf(request)))
  for (const [address, file] of bundle.assets)
    server.get(address, async (request, reply) => sendAsset(request, reply, file))
}

/** Null when the person may see the dashboard. */
function refusedEntry(request: FastifyRequest, reply: FastifyReply, person: SessionPerson | null): FastifyReply | null {
  if (person === null) return toSignIn(request, reply)
  if (person.workspaceId !== null) return null
  return leadTo(reply, withNext('/workspaces', localPath(request.url, request.server.services.publicUrl)))
}

async function beginningOf(request: FastifyRequest): Promise<string> {
  if ((await personOf(request)) !== null) return DASHBOARD_HOME
  const beginning = await readBeginning(request.server.services.db, isAtHome(request))
  return beginning === 'first_come' ? '/sign-up' : '/sign-in'
}

const THEME = /(?:^|;\s*)earshot_theme=(light|dark)(?:;|$)/

/**
 * The shell by language and theme, which the server chooses, because a script would show another one first. It also
 * says where the installation shows no pictures.
 */
class Shells {
  private readonly marked: ReadonlyMap<string, { html: string; etag: string }>
  private readonly preloads: WebBundle['preloads']

  constructor({ shells, preloads }: WebBundle, hasPictures: boolean) {
    this.preloads = preloads
    const pictures = hasPictures ? '' : ' data-pictures="off"'
    this.marked = new Map(
      LANGUAGES.flatMap((language) =>
        ['', 'light', 'dark'].map((theme) => [`${language} ${theme}`, marked(shells[language], theme, pictures)]),
      ),
    )
  }

  /** In the language of the account, or else of the browser. */
  send(request: FastifyRequest, reply: FastifyReply, chosen: Language | null): FastifyReply {
    const theme = THEME.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const language = chosen ?? languageFor(request)
    const { html, etag } = this.marked.get(`${language} ${theme}`)!
    const assets = this.preloads[language][request.routeOptions.url!] ?? []
    reply.headers({
      ...SHELL_HEADERS,
      ETag: etag,
      Link: [...requestsOf(request.url), ...assets.map(asAsset)].join(', '),
    })
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(html)
  }
}

/** The language that the browser prefers among those of the dashboard. */
function languageFor({ headers }: FastifyRequest): Language {
  const [first] = acceptedIn(headers['accept-language']).flatMap((tag) =>
    LANGUAGES.filter((language) => tag.split('-')[0] === language),
  )
  return first ?? LANGUAGES[0]
}

/** What the page asks for first comes beside the scripts of the shell instead of after them. */
function requestsOf(address: string): string[] {
  const first = address === DASHBOARD_HOME ? ['/session', FIRST_LIST] : ['/session']
  return first.map((url) => `<${url}>; rel=preload; as=fetch; crossorigin`)
}

/** Announces a script or style that the page needs and the shell does not name, so that it is loaded at once. */
function asAsset(url: string): string {
  return url.endsWith('.css') ? `<${url}>; rel=preload; as=style; crossorigin` : `<${url}>; rel=modulepreload`
}

function marked(shell: string, theme: string, pictures: string): { html: string; etag: string } {
  const marks = `${theme === '' ? '' : ` data-theme="${theme}"`}${pictures}`
  const html = shell.replace(/<html lang="\w+"/, `$&${marks}`)
  return { html, etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"` }
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, { type, plain, br, gzip }: BundledFile): FastifyReply {
  const accepted = new Set(acceptedIn(request.headers['accept-encoding']))
  reply.headers({ ...ASSET_HEADERS, 'Content-Type': type })
  if (br !== null && accepted.has('br')) return reply.header('Content-Encoding', 'br').send(br)
  if (gzip !== null && accepted.has('gzip')) return reply.header('Content-Encoding', 'gzip').send(gzip)
  return reply.send(plain)
}
