import { canParse } from '../kernel/can-parse.ts'

const LONGEST = 1000

/** For comparing: an absolute http(s) address without fragment and credentials; null if there is none. */
export function placeAddress(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST || !canParse(trimmed)) return null
  const url = new URL(trimmed)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url.href.length <= LONGEST ? url.href : null
}

/** The address's host with and without `www.`, since sites redirect between both. */
export function hostsOfPlace(address: string): string[] {
  const { host } = new URL(address)
  return [host, host.startsWith('www.') ? host.slice(4) : `www.${host}`]
}
