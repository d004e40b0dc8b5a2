import type { LiveFacts } from './facts.ts'
import { nobody, segmentsOf } from './links.ts'

export const mastodon: LiveFacts = {
  number: 17,
  name: 'Mastodon',
  glyph: { letters: 'ma', colour: '#5046c8' },
  mode: 'live',
  readsWholeFeed: true,
  pollSeconds: null,
  longestLookBackDays: null,
  writing: { family: 'social', venue: null, mostlyEnglish: false },
  links: {
    // Any host may be a server, so its links are known by their form.
    owns: (host, url) => !OTHER_NETWORKS.has(host) && personIn(url, host) !== null,
    authorIn: (url, host) => personIn(url, host) ?? nobody('this link of Mastodon'),
    profileOfHandle,
    profileOfId: null,
    postIdIn: null,
  },
  handles: null,
}

/** They write profile links in the same form. */
const OTHER_NETWORKS: ReadonlySet<string> = new Set([
  'medium.com',
  'producthunt.com',
  'substack.com',
  'hashnode.com',
  'tiktok.com',
  'youtube.com',
])
const NAME = /^[\w.-]{1,100}$/
const SERVER = /^(?=.{3,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/i

/** Of `/@name` and of `/@name@server`, as other servers show it; of a post behind either as well. */
function personIn(url: URL, host: string): string | null {
  const [first = ''] = segmentsOf(url)
  if (!first.startsWith('@')) return null
  const [name = '', server = serverOf(url, host), ...others] = first.slice(1).split('@')
  return NAME.test(name) && SERVER.test(server) && others.length === 0 ? profileOf(name, server) : null
}

function serverOf(url: URL, host: string): string {
  return url.port === '' ? host : `${host}:${url.port}`
}

/** Of `name@server`. */
function profileOfHandle(handle: string): string {
  const [name = '', server = ''] = handle.split('@')
  return profileOf(name, server)
}

function profileOf(name: string, server: string): string {
  return `https://${server.toLowerCase()}/@${name.toLowerCase()}`
}
