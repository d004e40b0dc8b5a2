import type { AuthorInLink, SearchFacts } from './facts.ts'
import { NEEDS_RESOLVING, nobody, oneOf, segmentsOf } from './links.ts'

export const tiktok: SearchFacts = {
  number: 10,
  name: 'TikTok',
  glyph: { letters: 'tt', colour: '#111827' },
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 21_600,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'social', venue: 'video', mostlyEnglish: false },
  links: {
    owns: oneOf('tiktok.com', 'm.tiktok.com', 'vm.tiktok.com', 'vt.tiktok.com'),
    authorIn,
    profileOfHandle: (handle) => `https://www.tiktok.com/@${handle}`,
    profileOfId: null,
    postIdIn: null,
  },
  handles: null,
}

function authorIn(url: URL, host: string): AuthorInLink {
  const [first = '', second = ''] = segmentsOf(url)
  if (host === 'vm.tiktok.com' || host === 'vt.tiktok.com')
    return first === '' ? nobody('this link of TikTok') : NEEDS_RESOLVING
  if (/^@[\w.]{1,40}$/.test(first)) return `https://www.tiktok.com/${first.toLowerCase()}`
  // Shared links may lack the name, so only TikTok can resolve them.
  return ((first === 't' || first === 'v') && second !== '') || (first === '@' && second !== '')
    ? NEEDS_RESOLVING
    : nobody('this link of TikTok')
}
