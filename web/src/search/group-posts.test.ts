import { expect, test } from 'vitest'
import type { FoundPost, SearchAnswer, SearchedPlatform } from '../api/search.ts'
import type { Source } from '../api/workspace.ts'
import { absencesIn, groupPosts } from './group-posts.ts'

function searched(platform: SearchedPlatform['platform'], status: SearchedPlatform['status'] = 'ok') {
  return { platform, status, count: 0, tookMs: 10 }
}

function found(platform: SearchedPlatform['platform'], matched: boolean): FoundPost {
  return { post: { platform }, author: null, matched, reason: null } as unknown as FoundPost
}

function listed(platform: Source['platform'], status: Source['status'], missing: string[] = []): Source {
  return { platform, status, missing } as unknown as Source
}

const ANSWER: SearchAnswer = {
  data: [found('reddit', false), found('bluesky', true), found('reddit', false), found('x', true)],
  sources: [
    searched('reddit'),
    searched('bluesky'),
    searched('x', 'timeout'),
    searched('github'),
    searched('news', 'unavailable'),
  ],
}

test('platforms with matching posts come first, and what came before a failure is shown', () => {
  const { withPosts, withoutPosts, failed } = groupPosts(ANSWER)
  expect(withPosts.map(({ source, posts }) => [source.platform, posts.length])).toEqual([
    ['bluesky', 1],
    ['x', 1],
    ['reddit', 2],
  ])
  expect(withoutPosts.map(({ platform }) => platform)).toEqual(['github'])
  expect(failed.map(({ platform }) => platform)).toEqual(['x', 'news'])
})

test('a wanted platform without result says the missing setting, else the failure', () => {
  const sources = [
    listed('youtube', 'needs_configuration', ['YOUTUBE_API_KEY']),
    listed('news', 'ready'),
    listed('tiktok', 'off'),
  ]
  expect(absencesIn(ANSWER, sources, ['reddit', 'news', 'youtube', 'tiktok', 'devto'])).toEqual([
    { platform: 'news', trouble: 'unavailable' },
    { platform: 'youtube', missing: ['YOUTUBE_API_KEY'] },
    { platform: 'tiktok', trouble: 'off' },
    { platform: 'devto', trouble: 'not_configured' },
  ])
})
