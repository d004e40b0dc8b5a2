import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from '../kit/button.tsx'
import { RequestFailure } from './request-failure.tsx'

interface NextPageProps {
  list: Pick<
    UseInfiniteQueryResult,
    'error' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >
  label: string
  className?: string | undefined
}

/** The button for the next page of a list, and why the last one did not come. */
export function NextPage({ list, label, className }: NextPageProps) {
  const next = () => void list.fetchNextPage()
  return (
    <>
      {list.isFetchNextPageError && <RequestFailure error={list.error as Error} onRetry={next} />}
      {list.hasNextPage && (
        <div className={className}>
          <Button busy={list.isFetchingNextPage} onClick={next}>
            {label}
          </Button>
        </div>
      )}
    </>
  )
}
