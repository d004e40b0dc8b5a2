import type { SearchFacts } from './facts.ts'
import { accountIn, accountOf, nobody, type ServerAccount, segmentsOf } from './links.ts'

export const lemmy: SearchFacts = {
  number: 20,
  name: 'Lemmy',
  glyph: { letters: 'le', colour: '#0b6b3a' },
  mode: 'search',
  readsWholeFeed: true,
  pollSeconds: 60,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'forum', venue: null, mostlyEnglish: true },
  links: {
    // Any host may be a server, so its links are known by their form.
    owns: (host, url) => !OTHER_NETWORKS.has(host) && personIn(url) !== null,
    authorIn: (url) => personIn(url) ?? nobody('this link of Lemmy'),
    profileOfHandle: (handle) => profileOf(accountOf(handle)),
    profileOfId: null,
    // Other sites write addresses of posts in the same form.
    postIdIn: null,
  },
  handles: null,
}

/** They write links in the same form. */
const OTHER_NETWORKS: ReadonlySet<string> = new Set(['reddit.com', 'old.reddit.com', 'new.reddit.com', 'lobste.rs'])
const NAME = /^\w[\w.-]{0,99}$/

/** Of `/u/name` and of `/u/name@server`, as other servers show it. */
function personIn(url: URL): string | null {
  const [first = '', second = '', ...others] = segmentsOf(url)
  const account = first === 'u' && others.length === 0 ? accountIn(second, url, NAME) : null
  return account && profileOf(account)
}

function profileOf({ name, server }: ServerAccount): string {
  return `https://${server.toLowerCase()}/u/${name.toLowerCase()}`
}
