import { useQuery } from '@tanstack/react-query'
import type { Source } from '../api/workspace.ts'
import { Page } from '../app/page.tsx'
import { PLATFORM_NAMES } from '../app/platforms.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { SOURCES_QUERY } from '../app/workspace-queries.ts'
import { LinkButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Empty } from '../kit/empty.tsx'
import { CollectedTable } from './collected-table.tsx'
import { LackingCard } from './lacking-card.tsx'
import { NamedSources } from './named-sources.tsx'
import styles from './sources.module.css'
import { words } from './words.ts'

/** States change slowly, and no stream tells of them. */
const REFETCH_MS = 60_000

export default function SourcesPage() {
  const sources = useQuery({ ...SOURCES_QUERY, refetchInterval: REFETCH_MS })
  const known = sources.data?.data ?? []
  return (
    <Page
      title={words.title}
      beside={
        known.length > 0 && <span className={styles.small}>{words.count(collectedOf(known).length, known.length)}</span>
      }
      actions={<LinkButton href="/guide/guides/platforms">{words.toPlatforms}</LinkButton>}
    >
      <QueryPanel query={sources} lines={10} height={48}>
        {({ data }) =>
          data.length === 0 ? <Empty title={words.none}>{words.noneHint}</Empty> : <Sources sources={data} />
        }
      </QueryPanel>
    </Page>
  )
}

function collectedOf(sources: readonly Source[]): Source[] {
  return sources.filter(({ status }) => status === 'ready' || status === 'degraded')
}

function Sources({ sources }: { sources: readonly Source[] }) {
  const collected = collectedOf(sources)
  const lacking = sources.filter(({ status }) => status === 'needs_configuration')
  const off = sources.filter(({ status }) => status === 'off').map(({ platform }) => PLATFORM_NAMES[platform])
  return (
    <div className={styles.stack}>
      {collected.length > 0 && <CollectedTable sources={collected} />}
      <NamedSources />
      {lacking.length > 0 && (
        <section className={styles.stack} aria-labelledby="lacking">
          <div>
            <h2 id="lacking">{words.lacking}</h2>
            <p className={styles.hint}>{words.lackingHint}</p>
          </div>
          <div className={styles.cards}>
            {lacking.map((source) => (
              <LackingCard key={source.platform} source={source} />
            ))}
          </div>
        </section>
      )}
      {off.length > 0 && (
        <Card title={words.off}>
          <p>{words.offText(off)}</p>
        </Card>
      )}
    </div>
  )
}
