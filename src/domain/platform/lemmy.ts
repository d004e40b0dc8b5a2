import type { AuthorInLink, SearchFacts } from './facts.ts'
import { nobody, segmentsOf } from './links.ts'

export const lemmy: SearchFacts = {
  number: 20,
  name: 'Lemmy',
  glyph: { letters: 'le', colour: '#0b6b3a' },
  mode: 'search',
  readsWholeFeed: true,
  pollSeconds: 60,
  longestLookBackDays: null,
  writing: { family: 'forum', venue: null, mostlyEnglish: true },
  links: {
    // Any host may be a server, so its links are known by their form.
    owns: (host, url) => !OTHER_NETWORKS.has(host) && personIn(url, host) !== null,
    authorIn: (url, host) => personIn(url, host) ?? nobody('this link of Lemmy'),
    profileOfHandle,
    profileOfId: null,
    // Other sites write addresses of posts in the same form.
    postIdIn: null,
  },
  handles: null,
}

/** They write links in the same form. */
const OTHER_NETWORKS: ReadonlySet<string> = new Set(['reddit.com', 'old.reddit.com', 'new.reddit.com', 'lobste.rs'])
const NAME = /^\w[\w.-]{0,99}$/
const SERVER = /^(?=.{3,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/i

/** Of `/u/name` and of `/u/name@server`, as other servers show it. */
function personIn(url: URL, host: string): AuthorInLink | null {
  const [first = '', second = '', ...others] = segmentsOf(url)
  if (first !== 'u' || others.length > 0) return null
  const [name = '', server = url.port === '' ? host : `${host}:${url.port}`, ...more] = second.split('@')
  return NAME.test(name) && SERVER.test(server) && more.length === 0 ? profileOf(name, server) : null
}

/** Of `name@server`. */
function profileOfHandle(handle: string): string {
  const [name = '', server = ''] = handle.split('@')
  return profileOf(name, server)
}

function profileOf(name: string, server: string): string {
  return `https://${server.toLowerCase()}/u/${name.toLowerCase()}`
}
