import type { AuthorInLink, SearchFacts } from './facts.ts'
import { addressIn, bareHost, NEEDS_RESOLVING, nobody, oneOf, segmentsOf } from './links.ts'
import { LONGEST_ENTRY } from './names.ts'

export const github: SearchFacts = {
  number: 2,
  name: 'GitHub',
  glyph: { letters: 'gh', colour: '#24292f' },
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 300,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'developer', venue: null, mostlyEnglish: true },
  links: {
    owns: oneOf('github.com', 'gist.github.com'),
    authorIn,
    profileOfHandle: profileOf,
    profileOfId: null,
    postIdIn: null,
  },
  handles: null,
}

/** Lower case, from a name or link; null for other entries. */
export function parseRepository(entry: string): string | null {
  const text = entry.slice(0, LONGEST_ENTRY + 1).trim()
  if (text.length > LONGEST_ENTRY) return null
  const path = repositoryPath(text)
  const [owner = '', name = ''] = path ?? []
  const bare = name.replace(/\.git$/i, '')
  if (!LOGIN.test(owner) || RESERVED.has(owner.toLowerCase())) return null
  if (!/^[\w.-]{1,100}$/.test(bare) || /^\.{1,2}$/.test(bare)) return null
  return `${owner}/${bare}`.toLowerCase()
}

/** Owner first; also from git's ssh form. */
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

const LOGIN = /^[a-z0-9][\w-]{0,63}$/i
const RESERVED = new Set(
  (
    'about account apps blog codespaces collections contact copilot customer-stories dashboard discussions ' +
    'enterprise events explore features home issues join ' +
    'login logout marketplace new notifications organizations orgs pricing pulls readme search security sessions ' +
    'settings signup site sponsors stars team topics trending users'
  ).split(' '),
)
const GIST_RESERVED = new Set(['discover', 'starred', 'search', 'forked', 'mine'])
const POSTS = new Set(['issues', 'pull', 'pulls', 'discussions', 'commit'])

function authorIn(url: URL, host: string): AuthorInLink {
  const [first = '', second = '', kind = '', id = ''] = segmentsOf(url)
  const login = first.toLowerCase()
  if (host === 'gist.github.com') return authorOfGist(login, second)
  if (login === 'apps' && /^[a-z0-9][\w-]{0,99}$/i.test(second)) return profileOf(`${second}[bot]`)
  if (RESERVED.has(login)) return nobody('this link of GitHub')
  if (second === '' && (LOGIN.test(login) || login.endsWith('[bot]'))) return profileOf(login)
  if (POSTS.has(kind) && /^[0-9a-f]{1,64}$/i.test(id)) return NEEDS_RESOLVING
  return nobody('a repository')
}

function authorOfGist(login: string, second: string): AuthorInLink {
  if (second === '' && /^[0-9a-f]{20,40}$/.test(login)) return NEEDS_RESOLVING
  return LOGIN.test(login) && !GIST_RESERVED.has(login) ? `https://github.com/${login}` : nobody('this link of GitHub')
}

/** A bot's login ends in [bot]; its page is under /apps. */
function profileOf(login: string): string {
  const name = login.toLowerCase()
  return name.endsWith('[bot]')
    ? `https://github.com/apps/${name.slice(0, -'[bot]'.length)}`
    : `https://github.com/${name}`
}
