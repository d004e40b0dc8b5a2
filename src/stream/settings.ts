import { canParse } from '../kernel/can-parse.ts'
import { listOf, textWithout, wholeNumber } from '../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../kernel/settings.ts'

export interface PostStreamSettings {
  /** As host:port. */
  servers: readonly string[]
  user: string | null
  password: string | null
  token: string | null
  tls: boolean
  keptHours: number
  /** Of each platform. */
  keptMb: number
}

export const STREAM_SETTINGS = {
  POST_STREAM_URL: {
    meaning:
      'NATS server with JetStream through which processes with the role gather hand the posts of live platforms to ' +
      'any number of installations. With it, live platforms are read from there only.',
    form: 'nats://user:password@host:4222, nats://token@host:4222 or tls://..., several of one cluster with commas',
    fallback: 'every installation reads the live platforms itself',
    secret: true,
    schema: textWithout(addressesProblem),
  },
  POST_STREAM_KEPT_HOURS: {
    meaning: 'How long the post stream keeps posts; an installation that was away for longer misses some.',
    form: 'whole number from 1 to 720',
    unit: 'hours',
    default: '24',
    schema: wholeNumber(1, 720),
  },
  POST_STREAM_KEPT_MB: {
    meaning:
      'How much the post stream keeps of each platform, if that is less than the hours; on the disk of the server.',
    form: 'whole number from 1 to 1000000',
    unit: 'MB',
    default: '4096',
    schema: wholeNumber(1, 1_000_000),
  },
} satisfies SettingsTable

/** Null without a server. */
export function postStreamSettingsOf(values: ValuesOf<typeof STREAM_SETTINGS>): PostStreamSettings | null {
  if (values.POST_STREAM_URL === undefined) return null
  const urls = listOf(values.POST_STREAM_URL).map((address) => new URL(address))
  const { username, password, protocol } = urls[0]!
  const isToken = username !== '' && password === ''
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || DEFAULT_PORT}`),
    user: isToken || username === '' ? null : decoded(username),
    password: password === '' ? null : decoded(password),
    token: isToken ? decoded(username) : null,
    tls: protocol === 'tls:',
    keptHours: values.POST_STREAM_KEPT_HOURS,
    keptMb: values.POST_STREAM_KEPT_MB,
  }
}

const DEFAULT_PORT = '4222'

function addressesProblem(text: string): string | null {
  const addresses = listOf(text)
  const isAddress = (address: string) =>
    /^(?:nats|tls):\/\/./.test(address) && canParse(address) && isBare(new URL(address))
  if (addresses.length === 0 || !addresses.every(isAddress))
    return 'must be an address such as nats://user:password@host:4222'
  const [first, ...others] = addresses.map((address) => new URL(address))
  const isLike = ({ protocol, username, password }: URL) =>
    protocol === first!.protocol && username === first!.username && password === first!.password
  return others.every(isLike) ? null : 'must have the same protocol, user and password in every address'
}

function isBare({ hostname, pathname, search, hash, username, password }: URL): boolean {
  const hasMore = (pathname !== '' && pathname !== '/') || search !== '' || hash !== ''
  const hasUser = username !== '' || password === ''
  return hostname !== '' && !hasMore && hasUser && decoded(username) !== null && decoded(password) !== null
}

/** Null if the percent signs are no encoding. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
