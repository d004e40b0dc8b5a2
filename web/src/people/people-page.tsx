import { useLocation, useSearchParams } from 'wouter'
import type { Person } from '../api/people.ts'
import { Page } from '../app/page.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { Button, LinkButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Empty } from '../kit/empty.tsx'
import { followBy } from '../kit/follow.ts'
import styles from './people.module.css'
import { PeopleFilterBar } from './people-filter-bar.tsx'
import {
  exportHref,
  hrefOf,
  isFiltered,
  type ListQuery,
  listHref,
  listQueryIn,
  PAGE_SIZE,
  requestOf,
} from './people-query.ts'
import { PeopleTable } from './people-table.tsx'
import { PeopleTabs } from './people-tabs.tsx'
import { usePeople } from './use-people.ts'
import { words } from './words.ts'

export default function PeoplePage() {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const query = listQueryIn(params)
  const people = usePeople(requestOf(query))
  const show = (next: ListQuery) => navigate(listHref({ ...next, offset: 0 }), { replace: true })
  return (
    <Page title={words.title} actions={<Actions query={query} />}>
      <PeopleTabs current="people" />
      <PeopleFilterBar query={query} total={people.data?.total ?? null} onChange={show} />
      <div
        data-stale={people.isPlaceholderData || undefined}
        aria-busy={people.isPlaceholderData}
        className={styles.list}
      >
        <QueryPanel query={people} lines={8} height={48}>
          {({ data, total }) => <PeopleList people={data} total={total} query={query} />}
        </QueryPanel>
      </div>
    </Page>
  )
}

function Actions({ query }: { query: ListQuery }) {
  const [, navigate] = useLocation()
  const hasConditions = Object.keys(query.filter).length > 0
  return (
    <>
      {hasConditions && query.segmentId === null && (
        <LinkButton
          href={hrefOf('/segments/new', { ...query, sort: 'mentions', offset: 0 })}
          onClick={followBy(navigate)}
        >
          {words.saveSegment}
        </LinkButton>
      )}
      <LinkButton href={exportHref(query)} download>
        {words.exportCsv}
      </LinkButton>
    </>
  )
}

interface PeopleListProps {
  people: readonly Person[]
  total: number
  query: ListQuery
}

function PeopleList({ people, total, query }: PeopleListProps) {
  const [, navigate] = useLocation()
  if (people.length > 0)
    return (
      <Card>
        <PeopleTable people={people} query={query} />
        <PageLinks shown={people.length} total={total} query={query} />
      </Card>
    )
  if (isFiltered(query) || query.offset > 0)
    return (
      <Empty title={words.noMatch} action={<Button onClick={() => navigate('/people')}>{words.clearFilter}</Button>} />
    )
  return (
    <Empty
      title={words.none}
      action={
        <LinkButton href="/keywords" onClick={followBy(navigate)}>
          {words.toKeywords}
        </LinkButton>
      }
    >
      {words.noneHint}
    </Empty>
  )
}

function PageLinks({ shown, total, query }: { shown: number; total: number; query: ListQuery }) {
  const [, navigate] = useLocation()
  const { offset } = query
  if (offset === 0 && shown >= total) return null
  const at = (next: number) => listHref({ ...query, offset: Math.max(0, next) })
  return (
    <nav className={styles.pages} aria-label={words.pages}>
      <small>{words.shown(offset + 1, offset + shown, total)}</small>
      {offset > 0 && (
        <LinkButton size="small" href={at(offset - PAGE_SIZE)} onClick={followBy(navigate)}>
          {words.previous}
        </LinkButton>
      )}
      {offset + shown < total && (
        <LinkButton size="small" href={at(offset + PAGE_SIZE)} onClick={followBy(navigate)}>
          {words.next}
        </LinkButton>
      )}
    </nav>
  )
}
