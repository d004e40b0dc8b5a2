import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SearchAnswer } from '../api/search.ts'
import { PLATFORM_NAMES, SEARCH_PLATFORMS } from '../app/platforms.ts'
import { matchedIn } from '../app/post/matched-in.ts'
import { SOURCES_QUERY } from '../app/workspace-queries.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Empty } from '../kit/empty.tsx'
import { Plus } from '../kit/icons.tsx'
import { listAll } from '../kit/list.ts'
import { FoundPostCard } from './found-post-card.tsx'
import { type Absence, absencesIn, groupPosts, type PlatformPosts } from './group-posts.ts'
import type { Wanted } from './search-form.tsx'
import styles from './search-page.module.css'
import { WatchPanel } from './watch-panel.tsx'
import { words } from './words.ts'

export function SearchResults({ answer, wanted }: { answer: SearchAnswer; wanted: Wanted }) {
  const [watching, setWatching] = useState(false)
  const { withPosts, withoutPosts } = groupPosts(answer)
  const names = withoutPosts.map(({ platform }) => PLATFORM_NAMES[platform])
  return (
    <>
      <div className={styles.summary}>
        <p role="status">
          {answer.data.length === 0 ? words.noPosts : words.matching(matchedIn(answer.data), answer.data.length)}
        </p>
        <Button
          variant="primary"
          icon={<Plus />}
          aria-expanded={watching}
          disabled={watching}
          onClick={() => setWatching(true)}
        >
          {words.watch}
        </Button>
      </div>
      {watching && <WatchPanel wanted={wanted} onClose={() => setWatching(false)} />}
      {withPosts.length === 0 && <Empty title={words.emptyTitle}>{words.emptyHint}</Empty>}
      {withPosts.map((group) => (
        <PlatformGroup key={group.source.platform} group={group} term={wanted.q} />
      ))}
      {names.length > 0 && <p className={styles.quiet}>{words.nothing(listAll(names))}</p>}
      <NotSearched answer={answer} wanted={wanted} />
    </>
  )
}

function PlatformGroup({ group: { source, posts }, term }: { group: PlatformPosts; term: string }) {
  return (
    <Card title={PLATFORM_NAMES[source.platform]} aside={words.found(source.count, posts.length, source.tookMs)}>
      {posts.map((found) => (
        <FoundPostCard key={found.post.url} found={found} term={term} />
      ))}
    </Card>
  )
}

function NotSearched({ answer, wanted }: { answer: SearchAnswer; wanted: Wanted }) {
  const sources = useQuery(SOURCES_QUERY)
  const absences = absencesIn(answer, sources.data?.data ?? [], wanted.platforms ?? SEARCH_PLATFORMS)
  if (absences.length === 0) return null
  return (
    <Card title={words.notSearched} aside={absences.some((absence) => 'missing' in absence) && words.openSources}>
      <dl className={styles.absences}>
        {absences.map((absence) => (
          <div key={absence.platform} className={styles.absence}>
            <dt>{PLATFORM_NAMES[absence.platform]}</dt>
            <dd>{absenceWords(absence)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function absenceWords(absence: Absence): string {
  if ('missing' in absence) return words.missing(listAll(absence.missing))
  const { trouble } = absence
  if (trouble === 'off') return words.off
  return trouble === 'ok' ? words.noPosts : words.troubles[trouble]
}
