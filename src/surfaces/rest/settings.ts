import { listOf, rangesProblem, textLike, textWithout, webOrigin, wholeNumber } from '../../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../../kernel/settings.ts'
import { isOfThisMachine } from '../../kernel/this-machine.ts'

export interface ListeningSettings {
  port: number
  host: string
  publicUrl: string
}

export const LISTENING_SETTINGS = {
  PORT: {
    meaning: 'Port on which the service listens.',
    form: 'whole number from 1 to 65535',
    default: '4400',
    schema: wholeNumber(1, 65_535),
  },
  EARSHOT_HOST: {
    meaning: 'Address of the network interface to listen on.',
    form: 'host name or IP address',
    fallback: '127.0.0.1; 0.0.0.0 inside a container',
    schema: textLike(/^[\w.:-]{1,253}$/, 'must be a host name or an IP address'),
  },
  PUBLIC_URL: {
    meaning: 'Address under which callers reach the service, used in links and the API description.',
    form: 'http or https address without a path',
    fallback: 'http://localhost:PORT',
    schema: webOrigin.transform((address) => new URL(address).origin),
  },
} satisfies SettingsTable

/** A container's ports are forwarded to its own address, so loopback would receive nothing. */
export function listeningSettingsOf(
  values: ValuesOf<typeof LISTENING_SETTINGS>,
  { insideContainer }: { insideContainer: boolean },
): ListeningSettings {
  return {
    port: values.PORT,
    host: values.EARSHOT_HOST ?? (insideContainer ? '0.0.0.0' : '127.0.0.1'),
    publicUrl: values.PUBLIC_URL ?? new URL(`http://localhost:${values.PORT}`).origin,
  }
}

export interface CallerSettings {
  trustedProxies: string[]
  operatorAddresses: string[]
}

export const PROXY_SETTINGS = {
  TRUSTED_PROXIES: {
    meaning:
      'Proxies whose X-Forwarded-For header is trusted for the limits on sign-in. Default: the address ' +
      'of the connection counts.',
    form: 'IP addresses or networks such as 10.0.0.0/8, separated by commas',
    fallback: 'none',
    schema: textWithout((text) => rangesProblem(listOf(text))).transform(listOf),
  },
} satisfies SettingsTable

/** Local users are operators, unless a local proxy may forward strangers. */
const OPERATORS_AT_HOME = '127.0.0.0/8, ::1'

export const OPERATOR_SETTINGS = {
  OPERATOR_ADDRESSES: {
    meaning:
      'Addresses that may read /metrics, by the address of the connection. Requests through a proxy ' +
      'are always refused.',
    form: 'IP addresses or networks such as 10.0.0.0/8, separated by commas, or none',
    fallback:
      `${OPERATORS_AT_HOME}; none when PUBLIC_URL names another host, because a proxy on this machine would look ` +
      'the same',
    schema: textWithout(operatorProblem).transform(operatorsIn),
  },
} satisfies SettingsTable

export function callerSettingsOf(
  values: ValuesOf<typeof PROXY_SETTINGS & typeof OPERATOR_SETTINGS>,
  publicUrl: string,
): CallerSettings {
  const atHome = isOfThisMachine(publicUrl) ? listOf(OPERATORS_AT_HOME) : []
  return {
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    operatorAddresses: values.OPERATOR_ADDRESSES ?? atHome,
  }
}

function operatorProblem(text: string): string | null {
  const entries = operatorsIn(text)
  if (entries.length === 0 && text !== 'none') return 'must be IP addresses or ranges separated by commas, or none'
  return rangesProblem(entries)
}

/** Only `none` is an empty list. */
function operatorsIn(text: string): string[] {
  return text === 'none' ? [] : listOf(text)
}
