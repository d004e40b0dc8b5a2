import type { DigestMode } from '../alert/mode.ts'
import type { Platform } from '../platform/platforms.ts'
import { MAX_PAYLOAD_BYTES } from './envelope.ts'

/** The most mentions that each part of a digest shows. */
export const DIGEST_MAX = { top: 10, negative: 5, buyingSignals: 5 } as const
export type DigestPart = keyof typeof DIGEST_MAX

/** What a digest carries; `Shown` is a mention as callers see it. */
export interface Digest<Shown = unknown> {
  /** From `from` on and before `to`, as ISO 8601. */
  period: { mode: DigestMode; from: string; to: string; timezone: string }
  /**
   * matched: scored mentions that fit the rule's filter whatever their relevance; the rest counts the relevant among
   * them.
   */
  counts: { matched: number; relevant: number; positive: number; neutral: number; negative: number; buyIntent: number }
  /** Those with most mentions first. */
  platforms: { platform: Platform; matched: number; relevant: number }[]
  /** By priority. */
  top: Shown[]
  negative: Shown[]
  buyingSignals: Shown[]
}

/** What a digest shows a mention by. */
interface ShownMention {
  id: string
}

/** The ids of the mentions that a digest shows, some of them in more than one part. */
export function mentionsShown({ top, negative, buyingSignals }: Digest<ShownMention>): string[] {
  return [...top, ...negative, ...buyingSignals].map(({ id }) => id)
}

/** The digest with those of its mentions alone that are still to be shown. What it counts stays. */
export function digestShowing<Shown extends ShownMention>(
  digest: Digest<Shown>,
  isShown: (id: string) => boolean,
): Digest<Shown> {
  const left = (part: readonly Shown[]) => part.filter(({ id }) => isShown(id))
  return {
    ...digest,
    top: left(digest.top),
    negative: left(digest.negative),
    buyingSignals: left(digest.buyingSignals),
  }
}

/** What the envelope adds to a digest takes less. */
const ENVELOPE_BYTES = 4096
/** A digest that is larger is not sent. */
export const DIGEST_MAX_BYTES = MAX_PAYLOAD_BYTES - ENVELOPE_BYTES

/**
 * The digest without its last mentions, as many as it takes to be sent; the longest part gives its own first. What it
 * counts stays.
 */
export function digestToSend<Shown>(digest: Digest<Shown>, maxBytes: number = DIGEST_MAX_BYTES): Digest<Shown> {
  let sent = digest
  while (Buffer.byteLength(JSON.stringify(sent)) > maxBytes) {
    const parts = [sent.top, sent.negative, sent.buyingSignals]
    const longest = parts.reduce((first, second) => (second.length > first.length ? second : first))
    if (longest.length === 0) return sent
    const [top, negative, buyingSignals] = parts.map((part) => (part === longest ? part.slice(0, -1) : part))
    sent = { ...sent, top: top!, negative: negative!, buyingSignals: buyingSignals! }
  }
  return sent
}
