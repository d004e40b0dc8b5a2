import AhoCorasick from 'modern-ahocorasick'
import FastAhoCorasick from 'modern-ahocorasick/fast'
import { foldTerm, type MatchText } from '../../src/matching/index.ts'
import { millisecondsOfSync } from './measure.ts'

/** Each peer gets about this long; the loop over 100,000 terms manages a few hundred posts in it. */
const BUDGET_MS = 1500

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
  return { peer: `modern-ahocorasick ${best.toFixed(0)}, includes loop ${loopRate.toPrecision(3)} posts/s`, times: ownRate / best }
}

function rateOf(texts: readonly string[], search: (text: string) => number): number {
  let done = 0
  let milliseconds = 0
  while (milliseconds < BUDGET_MS && done < texts.length) {
    const from = done
    const to = Math.min(texts.length, from + (done === 0 ? 1 : done))
    milliseconds += millisecondsOfSync(() => {
      for (let at = from; at < to; at += 1) search(texts[at]!)
    })
    done = to
  }
  return (1000 * done) / milliseconds
}
