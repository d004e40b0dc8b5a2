import { canParse } from '../../kernel/can-parse.ts'

export const REDIRECT_URI_MAX = 500

/** RFC 3986. Parsers disagree on other characters. */
const URI = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/
/** Stricter than the parser: some other characters end a rule in the consent page's content policy. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/
/** RFC 8252, section 7.3. */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(\/[^#]*|\?[^#]*|)$/
/** RFC 8252, section 7.1. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/
/** Browsers or systems act upon these themselves, such as running code. */
const NEVER = new Set(
  [
    ...[
      'about',
      'blob',
      'data',
      'file',
      'filesystem',
      'javascript',
      'vbscript',
      'view-source',
      'jar',
      'resource',
      'chrome',
      'edge',
      'mhtml',
      'livescript',
      'mocha',
    ],
    ...[
      'ftp',
      'ftps',
      'sftp',
      'ssh',
      'telnet',
      'ldap',
      'ldaps',
      'gopher',
      'ws',
      'wss',
      'smb',
      'nfs',
      'dav',
      'afp',
      'git',
      'svn',
      'irc',
      'ircs',
      'news',
      'nntp',
    ],
    ...[
      'mailto',
      'tel',
      'sms',
      'mms',
      'facetime',
      'callto',
      'sip',
      'sips',
      'xmpp',
      'geo',
      'magnet',
      'bitcoin',
      'shell',
      'search',
      'search-ms',
      'intent',
      'market',
    ],
  ].map((scheme) => `${scheme}:`),
)

/** Null when valid. */
export function redirectUriProblem(text: string): string | null {
  if (text.length > REDIRECT_URI_MAX) return `must have at most ${REDIRECT_URI_MAX} characters`
  if (!URI.test(text) || /%(?![0-9A-Fa-f]{2})/.test(text)) return 'is not a URI'
  if (text.includes('#')) return 'must not have a fragment'
  if (!SCHEME.test(text)) return 'must be an absolute URI with a scheme in lower case'
  if (!canParse(text)) return 'is not a URI'
  const url = new URL(text)
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?]*@/.test(text)) return 'must not hold a user name or password'
  if (url.protocol === 'https:' || url.protocol === 'http:') return webProblem(text, url)
  if (NEVER.has(url.protocol) || url.protocol.startsWith('ms-'))
    return 'must be https, http on this machine, or a scheme of the program itself'
  return null
}

function webProblem(text: string, url: URL): string | null {
  if (!/^https?:\/\/[^/?]/.test(text)) return 'must name a host'
  if (!HOST.test(url.hostname)) return 'must have a plain host name'
  if (url.port === '0') return 'must not name port 0'
  if (url.protocol === 'http:' && !LOOPBACK.test(text)) return 'must be https, or http on localhost, 127.0.0.1 or [::1]'
  return null
}

/** Loopback addresses may differ in their port, which a program gets only when it starts (RFC 8252, section 7.3). */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  if (redirectUriProblem(asked) !== null) return false
  const here = LOOPBACK.exec(asked)
  return registered.some((text) => {
    if (text === asked) return true
    const there = LOOPBACK.exec(text)
    return here !== null && there !== null && here[1] === there[1] && here[3] === there[3]
  })
}

/** Shown before consent. */
export interface RedirectTarget {
  kind: 'site' | 'this_machine' | 'app'
  /** Host, host and port, or scheme without colon. */
  name: string
}

export function redirectTarget(uri: string): RedirectTarget {
  const { protocol, host } = new URL(uri)
  if (protocol === 'https:') return { kind: 'site', name: host }
  return protocol === 'http:' ? { kind: 'this_machine', name: host } : { kind: 'app', name: protocol.slice(0, -1) }
}

/** The client's own query stays unchanged. */
export function withAnswer(uri: string, answer: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(
    Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== null),
  )
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`
}
