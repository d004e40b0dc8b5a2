import { canParse } from '../../kernel/can-parse.ts'
import { rawSegmentsOf } from '../platform/links.ts'
import { factsOf, type Platform } from '../platform/platforms.ts'

/** Null when absent, as in GitHub links and short links. */
export function nativeIdInLink(platform: Platform, link: string): string | null {
  const address = /^https?:\/\//i.test(link) ? link : `https://${link.replace(/^\/\//, '')}`
  if (!canParse(address)) return null
  const url = new URL(address)
  return factsOf(platform).links.postIdIn?.(url, rawSegmentsOf(url)) ?? null
}
