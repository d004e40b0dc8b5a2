import type { FoundPost, SearchAnswer, SearchedPlatform } from '../api/search.ts'
import type { Source } from '../api/workspace.ts'
import type { SearchPlatform } from '../app/platforms.ts'
import { matchedIn } from '../app/post/matched-in.ts'

export interface PlatformPosts {
  source: SearchedPlatform
  posts: FoundPost[]
}

export interface GroupedAnswer {
  withPosts: PlatformPosts[]
  withoutPosts: SearchedPlatform[]
  failed: SearchedPlatform[]
}

/** The posts by platform; platforms with the most matching posts come first. */
export function groupPosts({ data, sources }: SearchAnswer): GroupedAnswer {
  const groups = sources.map((source) => ({
    source,
    posts: data.filter(({ post }) => post.platform === source.platform),
  }))
  const empty = groups.filter(({ posts }) => posts.length === 0).map(({ source }) => source)
  return {
    withPosts: groups
      .filter(({ posts }) => posts.length > 0)
      .sort((left, right) => matchedIn(right.posts) - matchedIn(left.posts)),
    withoutPosts: empty.filter(({ status }) => status === 'ok'),
    failed: sources.filter(({ status }) => status !== 'ok'),
  }
}

/** Why a platform has no result. */
export type Absence =
  | { platform: SearchPlatform; trouble: SearchedPlatform['status'] | 'off' }
  | { platform: SearchPlatform; missing: readonly string[] }

/** The wanted platforms that failed or were not asked. A missing setting says more than the failure of the search. */
export function absencesIn(
  answer: SearchAnswer,
  sources: readonly Source[],
  wanted: readonly SearchPlatform[],
): Absence[] {
  return wanted.flatMap((platform): Absence[] => {
    const searched = answer.sources.find((source) => source.platform === platform)
    if (searched?.status === 'ok') return []
    const source = sources.find((listed) => listed.platform === platform)
    if (source?.status === 'needs_configuration') return [{ platform, missing: source.missing }]
    if (source?.status === 'off') return [{ platform, trouble: 'off' }]
    return [{ platform, trouble: searched?.status ?? 'not_configured' }]
  })
}
