import { platformNumber, SEARCH_PLATFORMS, type SearchPlatform } from '../../src/domain/platform/platforms.ts'
import { authorKeysOf, parseAuthorEntry } from '../../src/domain/post/author-entry.ts'
import type { MatchRules } from '../../src/matching/contract.ts'
import { referenceAccepts } from '../../src/matching/reference.suite.ts'
import { mix, type Plan } from './plan.ts'

/**
 * Holds the plan's expectations against the slow oracle, on a sample of the posts: half of them hold something, half
 * are any. A post is compared with every keyword whose term or something like it stands in it; that no other keyword
 * can match is clear because every term begins with letters that then do not occur in the text.
 *
 * @throws Error at the first post about which the two disagree
 */
export function verifyPlan(plan: Plan, posts: number, sample: number): { posts: number; pairs: number } {
  let pairs = 0
  const numbers = sampleOf(plan, posts, sample)
  for (const number of numbers) {
    const { did, text } = plan.post(number)
    const related = plan.related(number)
    if (related.length === 0 && plan.movingTermIn(number) === null && /zq/.test(text.normalize('NFKC').toLowerCase())) {
      throw new Error(`post ${number} is said to hold nothing: ${text}`)
    }
    const author = {
      id: did,
      name: null,
      handle: null,
      url: `https://bsky.app/profile/${did}`,
      avatarUrl: null,
      followers: null,
      automated: null,
    }
    const subject = {
      scope: platformNumber('bluesky'),
      title: null,
      text,
      links: [],
      authorKeys: authorKeysOf('bluesky', author),
      authorName: null,
    }
    const expected = new Set(plan.expected(number))
    for (const keyword of related) {
      pairs += 1
      const accepted = referenceAccepts(rulesOf(plan, keyword), subject, () => false)
      if (accepted !== expected.has(keyword))
        throw new Error(`the oracle disagrees about post ${number} and keyword ${keyword}: ${text}`)
    }
  }
  return { posts: numbers.length, pairs }
}

function sampleOf(plan: Plan, posts: number, sample: number): number[] {
  const numbers = new Set<number>()
  // Bounded, because a short run may have fewer posts that hold something than are asked for.
  for (let draw = 0; draw < 50 * sample && numbers.size < Math.min(sample, posts); draw += 1) {
    const number = mix(draw, 7) % posts
    if (draw % 2 === 0 || plan.holds(number) || draw > 40 * sample) numbers.add(number)
  }
  return [...numbers]
}

function rulesOf(plan: Plan, keyword: number): MatchRules {
  const { term, platforms, matching } = plan.keyword(keyword)
  const searched: readonly SearchPlatform[] = platforms ?? SEARCH_PLATFORMS
  const scopes = searched.reduce((bits, platform) => bits | (1 << platformNumber(platform)), 0)
  const excludedAuthors = matching.excludedAuthors.flatMap((entry) => {
    const parsed = parseAuthorEntry(entry)
    return 'normal' in parsed ? [parsed.normal] : []
  })
  return { ...matching, term, scopes, excludedAuthors }
}
