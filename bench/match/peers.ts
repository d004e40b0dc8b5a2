import AhoCorasick from 'modern-ahocorasick'
import FastAhoCorasick from 'modern-ahocorasick/fast'
import { foldTerm, type MatchText } from '../../src/matching/index.ts'
import { millisecondsOfSync, perSecond } from './measure.ts'

/** Each peer gets about this long. */
const BUDGET_MS = 3000
const ROUNDS = 4

/**
 * The best npm library and the plain loop on the same posts and terms. Both are given texts that are folded already and
 * leave out boundaries, which is in their favour.
 */
export async function loops(
  terms: readonly string[],
  posts: readonly MatchText[],
  withLibrary: boolean,
  ownRate: number,
): Promise<{ peer?: string; times?: number }> {
  if (!withLibrary) return {}
  const texts = posts.map((post) => foldTerm(`${post.title ?? ''}\n${post.text}`))
  const compact = new AhoCorasick([...terms])
  const compactRate = rateOf(texts, (text) => compact.search(text).length)
  const double = terms.length > 100_000 ? null : new FastAhoCorasick([...terms])
  const doubleRate = double === null ? 0 : rateOf(texts, (text) => double.search(text).length)
  const loopRate = rateOf(texts, (text) => terms.filter((term) => text.includes(term)).length)
  const best = Math.max(compactRate, doubleRate)
  return {
    peer: `modern-ahocorasick ${best.toFixed(0)}, includes loop ${loopRate.toPrecision(3)} posts/s`,
    times: ownRate / best,
  }
}

/** The posts a second of a search, over as many of the texts as the budget is enough for. */
function rateOf(texts: readonly string[], search: (text: string) => number): number {
  const probe = texts.slice(0, 20)
  const perText = millisecondsOfSync(() => probe.forEach(search)) / probe.length
  const affordable = Math.max(5, Math.floor(BUDGET_MS / perText / ROUNDS))
  return perSecond(texts.slice(0, affordable), ROUNDS, search)
}
