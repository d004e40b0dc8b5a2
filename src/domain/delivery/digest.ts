import type { DigestMode } from '../alert/mode.ts'
import type { Platform } from '../platform/platforms.ts'
import { MAX_PAYLOAD_BYTES } from './envelope.ts'

export const DIGEST_MAX = { top: 10, negative: 5, buyingSignals: 5 } as const
export type DigestPart = keyof typeof DIGEST_MAX

/** `Shown` is a mention in the form of the API. */
export interface Digest<Shown = unknown> {
  /** ISO 8601, `from` included, `to` not. */
  period: { mode: DigestMode; from: string; to: string; timezone: string }
  /** `matched` counts every relevance, the others relevant mentions. */
  counts: { matched: number; relevant: number; positive: number; neutral: number; negative: number; buyIntent: number }
  platforms: { platform: Platform; matched: number; relevant: number }[]
  /** By priority. */
  top: Shown[]
  negative: Shown[]
  buyingSignals: Shown[]
}

interface ShownMention {
  id: string
}

/** The ids of the shown mentions; an id may repeat. */
export function mentionsShown({ top, negative, buyingSignals }: Digest<ShownMention>): string[] {
  return [...top, ...negative, ...buyingSignals].map(({ id }) => id)
}

/** Counts stay. */
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

const ENVELOPE_BYTES = 4096
export const DIGEST_MAX_BYTES = MAX_PAYLOAD_BYTES - ENVELOPE_BYTES

/** Drops last mentions until it fits, from the longest part first. Counts stay. */
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
