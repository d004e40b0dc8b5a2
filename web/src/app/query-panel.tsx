import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../api/errors.ts'
import { Notice } from '../kit/notice.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import { Countdown } from './countdown.tsx'
import { RequestFailure } from './request-failure.tsx'
import { words } from './words.ts'

interface QueryPanelProps<Data> {
  query: UseQueryResult<Data>
  /** Lines of the skeleton, and their height in px. */
  lines?: number | undefined
  height?: number | undefined
  children: (data: Data) => ReactNode
}

/** What a query has: its data, the wait for them, or their failure. Data stay when a later read fails. */
export function QueryPanel<Data>({ query, lines, height, children }: QueryPanelProps<Data>) {
  const { data, error, failureReason } = query
  if (data !== undefined) return children(data)
  if (error !== null) return <RequestFailure error={error} onRetry={() => void query.refetch()} />
  return (
    <>
      {failureReason instanceof ApiError && failureReason.retryAfterSeconds !== null && (
        <Notice tone="warning">
          {failureReason.message} <Countdown seconds={failureReason.retryAfterSeconds} />
        </Notice>
      )}
      {failureReason instanceof ApiError && failureReason.retryAfterSeconds === null && (
        <Notice tone="warning">{words.triesAgain(failureReason.message)}</Notice>
      )}
      <Skeleton lines={lines} height={height} />
    </>
  )
}
