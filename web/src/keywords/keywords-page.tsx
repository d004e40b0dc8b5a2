import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'wouter'
import { type Keyword, listKeywords } from '../api/keywords.ts'
import { Page } from '../app/page.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { useLive } from '../app/use-live.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { AddKeyword } from './add-dialog.tsx'
import { KeywordFilter } from './keyword-filter.tsx'
import { KeywordTable } from './keyword-table.tsx'
import styles from './keywords.module.css'
import { isFiltered, type ListQuery, listHref, listQueryIn, requestOf } from './list-query.ts'
import { words } from './words.ts'

export default function KeywordsPage() {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const query = listQueryIn(params)
  const request = requestOf(query)
  const client = useQueryClient()
  const list = useQuery({
    queryKey: ['keywords', request],
    queryFn: ({ signal }) => listKeywords(request, signal),
    placeholderData: keepPreviousData,
  })
  useLive(['keyword.changed'], () => void client.invalidateQueries({ queryKey: ['keywords'] }))
  const show = (next: ListQuery) => navigate(listHref(next), { replace: true })
  return (
    <Page title={words.title} actions={<AddKeyword />}>
      <KeywordFilter query={query} total={list.data?.total ?? null} onChange={show} />
      <div className={styles.list} aria-busy={list.isPlaceholderData} data-stale={list.isPlaceholderData || undefined}>
        <QueryPanel query={list} lines={8} height={48}>
          {({ data }) => <KeywordList keywords={data} query={query} onClear={() => navigate('/keywords')} />}
        </QueryPanel>
      </div>
    </Page>
  )
}

interface KeywordListProps {
  keywords: readonly Keyword[]
  query: ListQuery
  onClear: () => void
}

function KeywordList({ keywords, query, onClear }: KeywordListProps) {
  const [, navigate] = useLocation()
  if (keywords.length > 0) return <KeywordTable keywords={keywords} query={query} />
  if (isFiltered(query))
    return <Empty title={words.noMatch} action={<Button onClick={onClear}>{words.clearFilter}</Button>} />
  const toSearch = (event: { preventDefault: () => void }) => {
    event.preventDefault()
    navigate('/search')
  }
  return (
    <Empty
      title={words.noKeywords}
      action={
        <LinkButton href="/search" onClick={toSearch}>
          {words.searchFirst}
        </LinkButton>
      }
    >
      {words.noKeywordsHint}
    </Empty>
  )
}
