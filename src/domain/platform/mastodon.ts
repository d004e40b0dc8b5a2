import type { LiveFacts } from './facts.ts'
import { accountIn, accountOf, nobody, type ServerAccount, segmentsOf } from './links.ts'

export const mastodon: LiveFacts = {
  number: 17,
  name: 'Mastodon',
  glyph: { letters: 'ma', colour: '#5046c8' },
  mode: 'live',
  readsWholeFeed: true,
  pollSeconds: null,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'social', venue: null, mostlyEnglish: false },
  links: {
    // Any host may be a server, so its links are known by their form.
    owns: (host, url) => !OTHER_NETWORKS.has(host) && personIn(url) !== null,
    authorIn: (url) => personIn(url) ?? nobody('this link of Mastodon'),
    profileOfHandle: (handle) => profileOf(accountOf(handle)),
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

/** Of `/@name` and of `/@name@server`, as other servers show it; of a post behind either as well. */
function personIn(url: URL): string | null {
  const [first = ''] = segmentsOf(url)
  const account = first.startsWith('@') ? accountIn(first.slice(1), url, NAME) : null
  return account && profileOf(account)
}

function profileOf({ name, server }: ServerAccount): string {
  return `https://${server.toLowerCase()}/@${name.toLowerCase()}`
}
