import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { searchPlatforms } from '../api/search.ts'
import { Page } from '../app/page.tsx'
import { platformsIn } from '../app/platforms.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { Empty } from '../kit/empty.tsx'
import { SearchForm, type Wanted } from './search-form.tsx'
import styles from './search-page.module.css'
import { SearchResults } from './search-results.tsx'
import { words } from './words.ts'

/** Posts that the answer holds at most. */
const POSTS = 50
const TERM_MAX = 80

export default function SearchPage() {
  const [params, setParams] = useSearchParams()
  const wanted: Wanted = {
    q: (params.get('q') ?? '').trim().slice(0, TERM_MAX),
    platforms: platformsIn(params.get('platforms')),
  }
  const search = useLiveSearch(wanted)
  const run = ({ q, platforms }: Wanted) => {
    if (q === wanted.q && String(platforms) === String(wanted.platforms)) void search.refetch()
    else setParams({ q, ...(platforms === null ? {} : { platforms: platforms.join(',') }) })
  }
  return (
    <Page title={words.title}>
      <SearchForm wanted={wanted} busy={search.isFetching} onSearch={run} />
      {wanted.q === '' ? (
        <Empty title={words.begin}>{words.beginHint}</Empty>
      ) : (
        <div className={styles.results} aria-busy={search.isFetching}>
          {search.isPending && <p className={styles.quiet}>{words.searching}</p>}
          <QueryPanel query={search} lines={6} height={72}>
            {(answer) => <SearchResults key={wanted.q} answer={answer} wanted={wanted} />}
          </QueryPanel>
        </div>
      )}
    </Page>
  )
}

/** A search costs the platforms something, so it runs when a person asks and never by itself. */
function useLiveSearch({ q, platforms }: Wanted) {
  return useQuery({
    queryKey: ['search', q, platforms],
    queryFn: ({ signal }) =>
      searchPlatforms({ query: q, limit: POSTS, ...(platforms === null ? {} : { platforms }) }, signal),
    enabled: q !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  })
}
