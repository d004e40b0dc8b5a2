import { useLocation } from 'wouter'
import type { KeywordHealth } from '../api/keywords.ts'
import { PLATFORM_NAMES } from '../app/platforms.ts'
import { Card } from '../kit/card.tsx'
import { Count } from '../kit/count.tsx'
import { DataTable } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { Share } from '../kit/share.tsx'
import { words } from './words.ts'

type ByPlatform = KeywordHealth['stats']['byPlatform']

export function PlatformTable({ keywordId, rows }: { keywordId: string; rows: ByPlatform }) {
  const [, navigate] = useLocation()
  if (rows.length === 0)
    return (
      <Card title={words.byPlatform}>
        <Empty quiet title={words.noPlatforms} />
      </Card>
    )
  return (
    <Card title={words.byPlatform}>
      <DataTable<ByPlatform[number]>
        caption={words.byPlatform}
        rows={rows}
        rowKey={({ platform }) => platform}
        rowHref={({ platform }) => `/inbox?keywordIds=${keywordId}&platforms=${platform}`}
        onNavigate={navigate}
        columns={[
          { id: 'platform', label: words.platform, render: ({ platform }) => PLATFORM_NAMES[platform] },
          { id: 'matches', label: words.mentions, align: 'end', render: ({ matches }) => <Count value={matches} /> },
          {
            id: 'share',
            label: words.relevantShare,
            align: 'end',
            render: ({ noiseShare }) => <Share value={noiseShare === null ? null : 1 - noiseShare} />,
          },
          { id: 'noise', label: words.below40, align: 'end', render: ({ filtered }) => <Count value={filtered} /> },
        ]}
      />
    </Card>
  )
}

export function NoiseTerms({ terms }: { terms: KeywordHealth['noiseTerms'] }) {
  return (
    <Card title={words.noiseTerms}>
      {terms.length === 0 ? (
        <Empty quiet title={words.noNoiseTerms} />
      ) : (
        <DataTable<KeywordHealth['noiseTerms'][number]>
          caption={words.noiseTerms}
          rows={terms}
          rowKey={({ term }) => term}
          columns={[
            { id: 'term', label: words.noiseTerm, render: ({ term }) => <bdi>{term}</bdi> },
            {
              id: 'noise',
              label: words.below40,
              align: 'end',
              render: ({ noisePosts }) => <Count value={noisePosts} />,
            },
            {
              id: 'relevant',
              label: words.relevantLegend,
              align: 'end',
              render: ({ relevantPosts }) => <Count value={relevantPosts} />,
            },
          ]}
        />
      )}
    </Card>
  )
}

export function NoiseAuthors({ authors }: { authors: KeywordHealth['noiseAuthors'] }) {
  return (
    <Card title={words.noiseAuthors}>
      {authors.length === 0 ? (
        <Empty quiet title={words.noNoiseAuthors} />
      ) : (
        <DataTable<KeywordHealth['noiseAuthors'][number]>
          caption={words.noiseAuthors}
          rows={authors}
          rowKey={({ entry }) => entry}
          columns={[
            { id: 'author', label: words.author, render: ({ name }) => <bdi>{name}</bdi> },
            {
              id: 'noise',
              label: words.below40,
              align: 'end',
              render: ({ noisePosts }) => <Count value={noisePosts} />,
            },
          ]}
        />
      )}
    </Card>
  )
}
