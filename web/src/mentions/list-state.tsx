import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { listKeywords } from '../api/keywords.ts'
import { without } from '../app/filter/filter-bar.tsx'
import { FILTER_NAMES } from '../app/filter/filter-params.ts'
import { words as filterWords } from '../app/filter/words.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import { ROW_HEIGHT } from './mention-row.tsx'
import { type InboxAddress, OPEN_FILTER } from './use-inbox-address.ts'
import type { MentionList } from './use-mention-list.ts'
import { words } from './words.ts'

/** What stands in place of the list while it loads, failed, or is empty. */
export function ListState({ list, address }: { list: MentionList; address: InboxAddress }) {
  if (list.error !== null) return <RequestFailure error={list.error} onRetry={list.reload} />
  if (list.isLoading) return <Skeleton lines={6} height={ROW_HEIGHT - 16} />
  if (list.hasMore) return <Skeleton lines={2} height={ROW_HEIGHT - 16} />
  return <EmptyList address={address} />
}

function EmptyList({ address }: { address: InboxAddress }) {
  const { data } = useQuery({
    queryKey: ['keywords', 'any'],
    queryFn: ({ signal }) => listKeywords({ limit: 1 }, signal),
  })
  if (data?.data.length === 0)
    return (
      <Empty title={words.emptyNothing} action={<Link href="/start">{words.toStart}</Link>}>
        {words.emptyNothingHint}
      </Empty>
    )
  if (address.filter === OPEN_FILTER) return <EmptyInbox seen={data?.data[0]?.stats.mentions ?? 0} />
  const params = FILTER_NAMES.filter((name) => address.filter[name] !== undefined)
  return (
    <Empty
      title={words.emptyMatch}
      action={params.map((param) => (
        <Button key={param} size="small" onClick={() => address.show(without(address.filter, param))}>
          {filterWords.removeChip(filterWords.param(param))}
        </Button>
      ))}
    >
      {params.length > 0 && words.emptyMatchHint}
    </Empty>
  )
}

function EmptyInbox({ seen }: { seen: number }) {
  if (seen === 0)
    return (
      <Empty title={words.emptyWaiting} action={<Link href="/keywords">{words.toKeywords}</Link>}>
        {words.emptyWaitingHint}
      </Empty>
    )
  return (
    <Empty title={words.emptyDone} quiet>
      {words.emptyDoneHint}
    </Empty>
  )
}
