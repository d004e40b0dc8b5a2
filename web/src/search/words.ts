import { formatCount, formatPlural } from '../kit/count.tsx'
import { formatDuration } from '../kit/time.tsx'

export const words = {
  title: 'Search now',
  term: 'Term',
  placeholder: 'A name, a product or a phrase',
  search: 'Search',
  begin: 'See what people write about a term right now',
  beginHint:
    'The search asks the platforms for posts and judges each post as a keyword would. Nothing is stored or charged.',
  searching: 'The platforms are asked. A platform gets ten seconds.',
  matching: (matched: number, shown: number) =>
    shown === matched
      ? `${formatPlural(shown, 'post')}, all of them would match`
      : `${formatCount(matched)} of ${formatPlural(shown, 'post')} would match`,
  watch: 'Watch this',
  watchTitle: (term: string) => `Watch “${term}”`,
  found: (count: number, shown: number, tookMs: number) =>
    [
      formatPlural(count, 'post'),
      ...(shown < count ? [`${formatCount(shown)} shown`] : []),
      formatDuration(tookMs),
    ].join(' · '),
  noPosts: 'No posts now',
  nothing: (names: string) => `Nothing was found on ${names}.`,
  emptyTitle: 'Nobody wrote about it lately',
  emptyHint: 'A keyword still collects posts from now on. Rare terms take time.',
  notSearched: 'Not searched',
  missing: (settings: string) => `needs ${settings}`,
  troubles: {
    unavailable: 'did not answer',
    timeout: 'took longer than ten seconds',
    not_configured: 'cannot be searched live',
  },
  off: 'is switched off',
  openSources: 'The operator of this installation sets these in its environment.',
  matched: 'Matched',
  dropped: 'Dropped',
  followers: (count: number) => formatPlural(count, 'follower'),
  more: 'Show the whole post',
  less: 'Show less',
}
