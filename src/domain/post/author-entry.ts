import { canParse } from '../../kernel/can-parse.ts'
import type { Platform } from '../platform/platforms.ts'
import type { Author } from './post.ts'

/**
 * What an entry of an author list comes to. `normal` is a profile link or a plain name and is compared with
 * `authorKeysOf` of a post; `platform` is null for names and handles that may belong to any platform. An entry that
 * `needsResolving` is the link of a post, or a short link, behind which only the platform knows the person. `invalid`
 * says for people why the entry names nobody.
 */
export type AuthorEntry =
  | { normal: string; platform: Platform | null }
  | { needsResolving: true; platform: Platform }
  | { invalid: string }

/** Longest entry that is looked at, in UTF-16 units; the lists of the API allow less. */
const LONGEST_ENTRY = 1000
const TOO_LONG: AuthorEntry = { invalid: `is longer than ${LONGEST_ENTRY} characters` }

const DID = /^did:(?:plc|web):[a-z0-9][a-z0-9._:%-]*$/i
const REDDIT_NAME = /^[\w-]{1,40}$/
const HOST_WITH_PATH = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?\/\S/i

/**
 * Reads one entry of `excludedAuthors` or of an alert's muted authors: a link, an @handle, u/name, a DID or a display
 * name.
 */
export function parseAuthorEntry(entry: string): AuthorEntry {
  const parsed = readEntry(entry)
  return 'normal' in parsed && UNNAMEABLE.test(parsed.normal)
    ? { invalid: 'holds a character that stands in no name' }
    : parsed
}

/**
 * Control characters and halves of characters, which may also come out of the escapes of a link. A database takes not
 * all of them.
 */
const UNNAMEABLE = /[\p{Cc}\p{Cs}]/u

function readEntry(entry: string): AuthorEntry {
  const text = entry.slice(0, LONGEST_ENTRY + 1).trim()
  if (text.length > LONGEST_ENTRY) return TOO_LONG
  if (text === '') return { invalid: 'is empty' }
  if (DID.test(text)) return profile('bluesky', blueskyProfile(text))
  if (/^at:\/\//i.test(text)) return fromAtUri(text)
  const redditor = text.match(/^\/?u(?:ser)?\/([^/\s]+)\/?$/i)?.[1]
  if (redditor !== undefined && REDDIT_NAME.test(redditor)) return profile('reddit', redditProfile(redditor))
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return fromAddress(text)
  if (/^\/\/\S+\.\S/.test(text)) return fromAddress(`https:${text}`)
  if (HOST_WITH_PATH.test(text)) return fromAddress(`https://${text}`)
  const name = plainName(text)
  return name === '' ? { invalid: 'names nobody' } : { normal: name, platform: null }
}

/**
 * Every normal form under which the author of a post may stand in a list: an entry excludes the post when its normal
 * form is among these. Links are given by handle and by id, for LinkedIn as person and as company alike.
 */
export function authorKeysOf(platform: Platform, author: Author): string[] {
  const keys = new Set<string>()
  const handle = author.handle === null ? '' : plainName(author.handle.replace(/^\/?u\//i, ''))
  const links = [author.url ?? '', ...profileLinksOf(platform, handle, author.id ?? '')]
  for (const link of links) {
    const parsed = link === '' ? null : parseAuthorEntry(link)
    if (parsed && 'normal' in parsed) for (const alias of aliasesOf(parsed.normal)) keys.add(alias)
  }
  if (handle !== '') keys.add(handle)
  if (author.name !== null)
    for (const name of [foldName(author.name), plainName(author.name)]) if (name !== '') keys.add(name)
  return [...keys].filter((key) => !UNNAMEABLE.test(key))
}

/** owner/name in lower case from a repository's name or any link to it at GitHub; null when the entry names none. */
export function parseRepository(entry: string): string | null {
  const text = entry.slice(0, LONGEST_ENTRY + 1).trim()
  if (text.length > LONGEST_ENTRY) return null
  const path = repositoryPath(text)
  const [owner = '', name = ''] = path ?? []
  const bare = name.replace(/\.git$/i, '')
  if (!GITHUB_LOGIN.test(owner) || GITHUB_RESERVED.has(owner.toLowerCase())) return null
  if (!/^[\w.-]{1,100}$/.test(bare) || /^\.{1,2}$/.test(bare)) return null
  return `${owner}/${bare}`.toLowerCase()
}

/**
 * A subreddit's name in lower case, without r/, from a name, r/name or any link into it; null when the entry names
 * none.
 */
export function parseSubreddit(entry: string): string | null {
  const text = entry.slice(0, LONGEST_ENTRY + 1).trim()
  if (text.length > LONGEST_ENTRY) return null
  const url = addressIn(text)
  const [first = '', second = ''] = url ? segmentsOf(url) : []
  if (url && (!isRedditHost(url.hostname) || first.toLowerCase() !== 'r')) return null
  const name = url ? second : (text.match(/^(?:\/?r\/)?([^/\s]+)\/?$/i)?.[1] ?? '')
  return /^(?:u_[\w-]{1,40}|[a-z0-9]\w{1,20})$/i.test(name) ? name.toLowerCase() : null
}

/** A display name for comparison: compatibility forms unified, lower case, single spaces. */
export function foldName(name: string): string {
  return name
    .slice(0, LONGEST_ENTRY)
    .toWellFormed()
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A folded name; one that is a handle loses its @. */
function plainName(text: string): string {
  const folded = foldName(text)
  return /^@[^\s@]/.test(folded) && !folded.includes(' ') ? folded.slice(1) : folded
}

// Links. The file is longer than most because the platforms are read best side by side: each reader is a few lines.

function fromAddress(text: string): AuthorEntry {
  const url = addressIn(text)
  if (url === null) return { invalid: 'is no web address' }
  const host = bareHost(url)
  const reader = READERS.find((one) => one.owns(host, url))
  return reader ? reader.read(url, host) : otherHost(url)
}

/** An http(s) address in the text, also without its scheme; null when there is none. */
function addressIn(text: string): URL | null {
  const withScheme = HOST_WITH_PATH.test(text) ? `https://${text}` : text
  if (!/^https?:\/\//i.test(withScheme) || !canParse(withScheme)) return null
  return new URL(withScheme)
}

function bareHost(url: URL): string {
  return url.hostname.replace(/\.$/, '').replace(/^www\./, '')
}

/** Path segments, decoded where they can be, without empty ones. */
function segmentsOf(url: { pathname: string }): string[] {
  return url.pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).normalize('NFKC')
  } catch {
    return segment
  }
}

const profile = (platform: Platform, link: string): AuthorEntry => ({ normal: link, platform })
const unresolved = (platform: Platform): AuthorEntry => ({ needsResolving: true, platform })
const nobody = (what: string): AuthorEntry => ({ invalid: `${what} names no person` })

/** A page elsewhere stands for its author: the address without query, fragment and trailing slash, encrypted or not. */
function otherHost(url: URL): AuthorEntry {
  return profile('news', `https://${url.host.replace(/\.$/, '')}${url.pathname.replace(/\/+$/, '')}`)
}

function fromAtUri(text: string): AuthorEntry {
  const authority = text.slice('at://'.length).split(/[/?#]/)[0] ?? ''
  return isBlueskyName(authority)
    ? profile('bluesky', blueskyProfile(authority))
    : { invalid: 'is no at:// address of a person' }
}

/** How the links of one platform are read. The first that owns the host reads the link. */
interface Reader {
  owns(host: string, url: URL): boolean
  read(url: URL, host: string): AuthorEntry
}

const READERS: readonly Reader[] = [
  { owns: oneOf('bsky.app'), read: readBluesky },
  { owns: oneOf('news.ycombinator.com'), read: readHackerNews },
  { owns: oneOf('github.com', 'gist.github.com'), read: readGithub },
  { owns: oneOf('stackoverflow.com'), read: readStackOverflow },
  { owns: oneOf('dev.to'), read: readDevto },
  { owns: (host) => isRedditHost(host) || host === 'redd.it', read: readReddit },
  { owns: oneOf('x.com', 'twitter.com', 'mobile.x.com', 'mobile.twitter.com', 'm.twitter.com'), read: readX },
  {
    owns: oneOf(
      'youtube.com',
      'm.youtube.com',
      'music.youtube.com',
      'gaming.youtube.com',
      'youtube-nocookie.com',
      'youtu.be',
    ),
    read: readYoutube,
  },
  { owns: (host) => /^(?:(?:[a-z]{2}|m|touch)\.)?linkedin\.com$/.test(host), read: readLinkedin },
  { owns: oneOf('tiktok.com', 'm.tiktok.com', 'vm.tiktok.com', 'vt.tiktok.com'), read: readTiktok },
  { owns: oneOf('instagram.com', 'm.instagram.com', 'instagr.am'), read: readInstagram },
  { owns: (host) => /^(?:[a-z]{2}(?:-[a-z]{2})?\.)?trustpilot\.com$/.test(host), read: readTrustpilot },
  { owns: isMapsLink, read: readGoogleMaps },
  { owns: oneOf('itunes.apple.com', 'apps.apple.com'), read: readAppStore },
  { owns: oneOf('play.google.com'), read: () => nobody('a link of Google Play') },
]

function oneOf(...hosts: string[]): (host: string) => boolean {
  return (host) => hosts.includes(host)
}

// A reader for each platform

function isBlueskyName(name: string): boolean {
  return DID.test(name) || /^(?=.{3,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(name)
}

const blueskyProfile = (name: string) => `https://bsky.app/profile/${name.toLowerCase()}`

function readBluesky(url: URL): AuthorEntry {
  const [first, second = ''] = segmentsOf(url)
  const name = second.replace(/^@/, '')
  return first === 'profile' && isBlueskyName(name)
    ? profile('bluesky', blueskyProfile(name))
    : nobody('this link of Bluesky')
}

const HACKER_NEWS_LISTS = new Set(['user', 'submitted', 'threads', 'favorites'])

function readHackerNews(url: URL): AuthorEntry {
  const [first = ''] = segmentsOf(url)
  const id = url.searchParams.get('id')?.trim() ?? ''
  if (HACKER_NEWS_LISTS.has(first) && /^[\w-]{1,40}$/.test(id))
    return profile('hackernews', `https://news.ycombinator.com/user?id=${id.toLowerCase()}`)
  return first === 'item' && /^\d{1,15}$/.test(id) ? unresolved('hackernews') : nobody('this link of Hacker News')
}

const GITHUB_LOGIN = /^[a-z0-9][\w-]{0,63}$/i
const GITHUB_RESERVED = new Set(
  (
    'about account apps blog codespaces collections contact copilot customer-stories dashboard discussions ' +
    'enterprise events explore features home issues join ' +
    'login logout marketplace new notifications organizations orgs pricing pulls readme search security sessions ' +
    'settings signup site sponsors stars team topics trending users'
  ).split(' '),
)
const GIST_RESERVED = new Set(['discover', 'starred', 'search', 'forked', 'mine'])
const GITHUB_POSTS = new Set(['issues', 'pull', 'pulls', 'discussions', 'commit'])

function readGithub(url: URL, host: string): AuthorEntry {
  const [first = '', second = '', kind = '', id = ''] = segmentsOf(url)
  const login = first.toLowerCase()
  if (host === 'gist.github.com') {
    if (second === '' && /^[0-9a-f]{20,40}$/.test(login)) return unresolved('github')
    return GITHUB_LOGIN.test(login) && !GIST_RESERVED.has(login)
      ? profile('github', `https://github.com/${login}`)
      : nobody('this link of GitHub')
  }
  if (login === 'apps' && /^[a-z0-9][\w-]{0,99}$/i.test(second))
    return profile('github', githubProfile(`${second}[bot]`))
  if (GITHUB_RESERVED.has(login)) return nobody('this link of GitHub')
  if (second === '' && (GITHUB_LOGIN.test(login) || login.endsWith('[bot]')))
    return profile('github', githubProfile(login))
  if (GITHUB_POSTS.has(kind) && /^[0-9a-f]{1,64}$/i.test(id)) return unresolved('github')
  return nobody('a repository')
}

/** A program's login ends in [bot]; its page stands under /apps. */
function githubProfile(login: string): string {
  const name = login.toLowerCase()
  return name.endsWith('[bot]')
    ? `https://github.com/apps/${name.slice(0, -'[bot]'.length)}`
    : `https://github.com/${name}`
}

const STACK_OVERFLOW_POSTS = new Set(['questions', 'q', 'a', 'posts'])

function readStackOverflow(url: URL): AuthorEntry {
  const [first = '', id = ''] = segmentsOf(url)
  if (!/^\d{1,12}$/.test(id)) return nobody('this link of Stack Overflow')
  if (first === 'users') return profile('stackoverflow', `https://stackoverflow.com/users/${id}`)
  return STACK_OVERFLOW_POSTS.has(first) ? unresolved('stackoverflow') : nobody('this link of Stack Overflow')
}

const DEVTO_RESERVED = new Set(
  (
    't tags search latest top about enter settings challenges api admin badge code-of-conduct connect contact ' +
    'dashboard events faq feed guides help listings mod new ' +
    'notifications pod podcasts privacy reading-list readinglist rss shop signout_confirm terms videos'
  ).split(' '),
)

function readDevto(url: URL): AuthorEntry {
  const name = segmentsOf(url)[0]?.toLowerCase() ?? ''
  return /^\w{1,60}$/.test(name) && !DEVTO_RESERVED.has(name)
    ? profile('devto', `https://dev.to/${name}`)
    : nobody('this link of dev.to')
}

/** Interfaces and languages of the site; other sub-domains hold pictures, statistics or help. */
function isRedditHost(host: string): boolean {
  return /^(?:(?:www|old|new|np|m|sh|amp|i|[a-z]{2})\.)?reddit\.com$/.test(host)
}

const redditProfile = (name: string) => `https://www.reddit.com/user/${name.toLowerCase()}`

function readReddit(url: URL, host: string): AuthorEntry {
  const [first = '', second = '', kind = '', id = ''] = segmentsOf(url)
  if (host === 'redd.it') return first === '' ? nobody('this link of Reddit') : unresolved('reddit')
  const section = first.toLowerCase()
  if (section === 'user' || section === 'u') {
    return REDDIT_NAME.test(second) && second.toLowerCase() !== 'me'
      ? profile('reddit', redditProfile(second))
      : nobody('this link of Reddit')
  }
  // Posts that people put on their own page stand in a community named after them.
  if (section === 'r' && /^u_[\w-]{1,40}$/i.test(second)) return profile('reddit', redditProfile(second.slice(2)))
  if (section === 'r' && (kind === 'comments' || kind === 's') && id !== '') return unresolved('reddit')
  if ((section === 'comments' || section === 'gallery' || section === 'tb') && second !== '')
    return unresolved('reddit')
  return nobody(section === 'r' ? 'a subreddit' : 'this link of Reddit')
}

const X_RESERVED = new Set(
  (
    'i search hashtag home explore share settings intent about account compose download jobs login logout messages ' +
    'notifications privacy signup tos who_to_follow'
  ).split(' '),
)
const X_NAME = /^\w{1,20}$/

function readX(url: URL): AuthorEntry {
  const hashbang = url.pathname === '/' ? url.hash.match(/^#!(\/[^?#]*)/)?.[1] : undefined
  const [first = '', second = '', third = '', fourth = ''] = segmentsOf({ pathname: hashbang ?? url.pathname })
  const section = first.toLowerCase()
  if (section === 'intent') return readXIntent(url)
  if (section === 'i' && second === 'user' && /^\d{1,20}$/.test(third)) return profile('x', xProfileById(third))
  const status =
    section === 'i' && second === 'web' ? [third, fourth] : section === 'i' ? [second, third] : [section, second]
  if ((status[0] === 'status' || status[0] === 'statuses') && /^\d{1,20}$/.test(status[1] ?? '')) return unresolved('x')
  const name = section.replace(/^@/, '')
  return X_NAME.test(name) && !X_RESERVED.has(name) ? profile('x', `https://x.com/${name}`) : nobody('this link of X')
}

/** Links that follow or show somebody name the person in the query. */
function readXIntent(url: URL): AuthorEntry {
  const name = url.searchParams.get('screen_name')?.replace(/^@/, '') ?? ''
  const id = url.searchParams.get('user_id') ?? ''
  if (X_NAME.test(name)) return profile('x', `https://x.com/${name.toLowerCase()}`)
  return /^\d{1,20}$/.test(id) ? profile('x', xProfileById(id)) : nobody('this link of X')
}

const xProfileById = (id: string) => `https://x.com/i/user/${id}`

const YOUTUBE_VIDEOS = new Set(['shorts', 'live', 'embed', 'v', 'clip', 'post'])

function readYoutube(url: URL, host: string): AuthorEntry {
  const [first = '', second = ''] = segmentsOf(url)
  if (host === 'youtu.be') return first === '' ? nobody('this link of YouTube') : unresolved('youtube')
  if (/^@[^\s@]{1,60}$/u.test(first)) return profile('youtube', `https://www.youtube.com/${foldName(first)}`)
  if (first === 'channel')
    return /^UC[\w-]{22}$/.test(second)
      ? profile('youtube', `https://www.youtube.com/channel/${second}`)
      : nobody('this link of YouTube')
  if (first === 'watch') return url.searchParams.get('v') ? unresolved('youtube') : nobody('this link of YouTube')
  if (YOUTUBE_VIDEOS.has(first) && second !== '') return unresolved('youtube')
  if ((first === 'c' || first === 'user') && /^[^\s/]{1,100}$/.test(second))
    return profile('youtube', `https://www.youtube.com/${first}/${foldName(second)}`)
  return nobody('this link of YouTube')
}

const LINKEDIN_SECTIONS = ['in', 'company', 'school', 'showcase'] as const

function readLinkedin(url: URL): AuthorEntry {
  const [first = '', second = ''] = segmentsOf(url)
  const slug = first === 'posts' ? (second.split('_')[0] ?? '') : second
  const named = /^[^\s/_][^\s/]{0,199}$/u.test(slug)
  if (LINKEDIN_SECTIONS.some((section) => section === first) && named)
    return profile('linkedin', linkedinProfile(first, slug))
  // The address of a post does not tell whether a person or a company wrote it; both are compared alike.
  if (first === 'posts')
    return named && second.includes('_')
      ? profile('linkedin', linkedinProfile('in', slug))
      : nobody('this link of LinkedIn')
  if (
    (first === 'feed' && /urn:li:/i.test(url.pathname.replace(/%3A/gi, ':'))) ||
    (first === 'pulse' && second !== '') ||
    (first === 'embed' && second === 'feed')
  ) {
    return unresolved('linkedin')
  }
  return nobody('this link of LinkedIn')
}

const linkedinProfile = (section: string, slug: string) => `https://www.linkedin.com/${section}/${slug.toLowerCase()}`

function readTiktok(url: URL, host: string): AuthorEntry {
  const [first = '', second = ''] = segmentsOf(url)
  if (host === 'vm.tiktok.com' || host === 'vt.tiktok.com')
    return first === '' ? nobody('this link of TikTok') : unresolved('tiktok')
  if (/^@[\w.]{1,40}$/.test(first)) return profile('tiktok', `https://www.tiktok.com/${first.toLowerCase()}`)
  // Shared links may leave the name out, so only the platform knows whose video it is.
  return ((first === 't' || first === 'v') && second !== '') || (first === '@' && second !== '')
    ? unresolved('tiktok')
    : nobody('this link of TikTok')
}

const INSTAGRAM_POSTS = new Set(['p', 'reel', 'reels', 'tv'])
const INSTAGRAM_RESERVED = new Set(
  'p reel reels tv explore stories accounts about api developer direct directory legal share web'.split(' '),
)

function readInstagram(url: URL): AuthorEntry {
  const [first = '', second = ''] = segmentsOf(url)
  const section = first.toLowerCase()
  if ((INSTAGRAM_POSTS.has(section) && /^[\w-]{5,}$/.test(second)) || (section === 'share' && second !== ''))
    return unresolved('instagram')
  const name = (
    section === 'stories' && second !== 'highlights' ? second : INSTAGRAM_RESERVED.has(section) ? '' : section
  )
    .replace(/^@/, '')
    .toLowerCase()
  return /^[\w.]{1,30}$/.test(name)
    ? profile('instagram', `https://www.instagram.com/${name}`)
    : nobody('this link of Instagram')
}

function readTrustpilot(url: URL): AuthorEntry {
  const [first, id = ''] = segmentsOf(url)
  if (!/^[0-9a-z]{1,40}$/i.test(id)) return nobody('this link of Trustpilot')
  if (first === 'users') return profile('trustpilot', `https://www.trustpilot.com/users/${id.toLowerCase()}`)
  return first === 'reviews' ? unresolved('trustpilot') : nobody('this link of Trustpilot')
}

function isMapsLink(host: string, url: URL): boolean {
  if (host === 'maps.app.goo.gl' || (host === 'goo.gl' && url.pathname.startsWith('/maps/'))) return true
  const google = /^(maps\.)?google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/.exec(host)
  return google !== null && (google[1] !== undefined || /^\/maps(?:\/|$)/.test(url.pathname))
}

function readGoogleMaps(url: URL, host: string): AuthorEntry {
  const segments = segmentsOf(url)
  if (host.endsWith('goo.gl')) return unresolved('googlemaps')
  const [first = '', id = ''] = segments[0] === 'maps' ? segments.slice(1) : segments
  if (first === 'contrib' && /^\d{1,30}$/.test(id))
    return profile('googlemaps', `https://www.google.com/maps/contrib/${id}`)
  return first === 'reviews' ? unresolved('googlemaps') : nobody('this link of Google Maps')
}

function readAppStore(url: URL): AuthorEntry {
  const [country = '', section, id = ''] = segmentsOf(url)
  const named = /^[a-z]{2}$/i.test(country) && section === 'reviews' && /^id\d{1,20}$/.test(id)
  return named
    ? profile('appstore', `https://itunes.apple.com/${country.toLowerCase()}/reviews/${id}`)
    : nobody('this link of the App Store')
}

// Keys of authors

/** Profile links that follow from handle and id, in any form that `parseAuthorEntry` brings into its normal form. */
function profileLinksOf(platform: Platform, handle: string, id: string): string[] {
  const byHandle = handle === '' || /[\s/?#]/.test(handle) ? [] : (HANDLE_LINKS[platform]?.(handle) ?? [])
  const byId = id === '' || /[\s/?#]/.test(id) ? [] : (ID_LINKS[platform]?.(id) ?? [])
  return [...byHandle, ...byId]
}

type Links = { readonly [On in Platform]?: (value: string) => string[] }

const HANDLE_LINKS: Links = {
  bluesky: (handle) => [`https://bsky.app/profile/${handle}`],
  hackernews: (handle) => [`https://news.ycombinator.com/user?id=${handle}`],
  github: (handle) => [githubProfile(handle)],
  devto: (handle) => [`https://dev.to/${handle}`],
  reddit: (handle) => [redditProfile(handle)],
  x: (handle) => [`https://x.com/${handle}`],
  youtube: (handle) => [`https://www.youtube.com/@${handle}`],
  linkedin: (handle) => [linkedinProfile('in', handle)],
  tiktok: (handle) => [`https://www.tiktok.com/@${handle}`],
  instagram: (handle) => [`https://www.instagram.com/${handle}`],
}

const ID_LINKS: Links = {
  bluesky: (id) => [`https://bsky.app/profile/${id}`],
  hackernews: (id) => [`https://news.ycombinator.com/user?id=${id}`],
  stackoverflow: (id) => [`https://stackoverflow.com/users/${id}`],
  x: (id) => [xProfileById(id)],
  youtube: (id) => [`https://www.youtube.com/channel/${id}`],
  trustpilot: (id) => [`https://www.trustpilot.com/users/${id}`],
  googlemaps: (id) => [`https://www.google.com/maps/contrib/${id}`],
}

/** A LinkedIn profile under all its sections; every other link as it is. */
function aliasesOf(normal: string): string[] {
  const slug = normal.match(/^https:\/\/www\.linkedin\.com\/(?:in|company|school|showcase)\/([^/]+)$/)?.[1]
  return slug === undefined ? [normal] : LINKEDIN_SECTIONS.map((section) => linkedinProfile(section, slug))
}

// Repositories

/**
 * The segments of a repository's path, owner first, from owner/name, an address, or the form that git clones over ssh.
 */
function repositoryPath(text: string): string[] | null {
  const ssh = text.match(/^(?:ssh:\/\/)?git@github\.com[:/](\S+)$/i)?.[1]
  if (ssh !== undefined) return ssh.split('/')
  const url = addressIn(text.replace(/^git(?:\+https)?:\/\//i, 'https://'))
  if (url === null)
    return /^\/?[^/\s]+\/[^/\s]+\/?$/.test(text) && !text.includes(':')
      ? text.split('/').filter((part) => part !== '')
      : null
  const host = bareHost(url)
  const segments = segmentsOf(url)
  if (host === 'api.github.com') return segments[0] === 'repos' ? segments.slice(1) : null
  return host === 'github.com' || host === 'raw.githubusercontent.com' ? segments : null
}
