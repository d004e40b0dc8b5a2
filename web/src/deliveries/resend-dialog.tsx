import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Delivery, searchDeliveries } from '../api/deliveries.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Field, NativeSelect, RadioCards } from '../kit/field.tsx'
import { Bar } from '../kit/meter.tsx'
import { Notice } from '../kit/notice.tsx'
import styles from './deliveries.module.css'
import { SinceSelect } from './log-filter.tsx'
import type { LogQuery } from './log-query.ts'
import { doneOf, type ResendProgress } from './resend-all.ts'
import type { useChoices } from './use-choices.ts'
import type { Way } from './use-resend.ts'
import { useResendAll } from './use-resend-all.ts'
import { words } from './words.ts'

interface ResendDialogProps {
  query: LogQuery
  choices: ReturnType<typeof useChoices>
  onClose: () => void
}

/** How many one run takes; a second run takes the next. */
const MOST = 1000
const WAYS = (['retry', 'replay'] as const).map((way) => ({
  value: way,
  label: words.ways[way],
  hint: words.howHints[way],
}))

/** Sends all failed deliveries of a time again, with progress, until somebody stops it. */
export function ResendDialog({ query, choices, onClose }: ResendDialogProps) {
  const [{ channelId, since, way }, setChoice] = useState<Choice>({
    channelId: query.channelId,
    since: query.since,
    way: 'retry',
  })
  const change = (part: Partial<Choice>) => setChoice((before) => ({ ...before, ...part }))
  const failed = useFailed({ channelId, since, alertId: query.alertId })
  const run = useResendAll()
  const count = failed.data?.deliveries.length ?? 0
  const begin = () => failed.data && void run.begin(failed.data.deliveries, way)
  return (
    <Dialog
      open
      onClose={run.isRunning ? run.stop : onClose}
      title={words.sendFailed}
      actions={
        <>
          {run.progress !== null && !run.isRunning && <Button onClick={onClose}>{words.close}</Button>}
          {run.isRunning && <Button onClick={run.stop}>{words.stop}</Button>}
          {run.progress === null && (
            <Button variant="primary" disabled={count === 0} onClick={begin}>
              {words.begin(count)}
            </Button>
          )}
        </>
      }
    >
      {run.progress === null ? (
        <>
          <p>{words.sendFailedHint}</p>
          <ChannelSelect choices={choices} value={channelId} onChange={(id) => change({ channelId: id })} />
          <Field label={words.since}>
            <SinceSelect since={since} onChange={(time) => change({ since: time })} />
          </Field>
          <RadioCards legend={words.how} options={WAYS} value={way} onChange={(chosen) => change({ way: chosen })} />
          <p role="status">
            {failed.data === undefined ? words.counting : words.failedCount(count, failed.data.hasMore)}
          </p>
          {failed.error !== null && <RequestFailure error={failed.error} onRetry={() => void failed.refetch()} />}
        </>
      ) : (
        <Progress progress={run.progress} total={run.total} isRunning={run.isRunning} error={run.error} />
      )}
    </Dialog>
  )
}

interface Choice {
  channelId: string | null
  since: string | null
  way: Way
}

interface ChannelSelectProps {
  choices: ReturnType<typeof useChoices>
  value: string | null
  onChange: (channelId: string | null) => void
}

function ChannelSelect({ choices, value, onChange }: ChannelSelectProps) {
  const options = choices.channels.map(({ id, label }) => ({ value: id, label }))
  return (
    <Field label={words.channel}>
      <NativeSelect
        options={[{ value: '', label: words.allChannels }, ...options]}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || null)}
      />
    </Field>
  )
}

/** The failed deliveries of a choice, oldest first, page by page. */
function useFailed({ channelId, since, alertId }: Pick<LogQuery, 'channelId' | 'since' | 'alertId'>) {
  const named = Object.entries({ channelId, since, alertId }).filter(([, value]) => value !== null)
  const request = { ...Object.fromEntries(named), status: ['failed' as const], limit: 100 }
  return useQuery({
    queryKey: ['deliveries', 'failed', request],
    queryFn: async ({ signal }) => {
      const deliveries: Delivery[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof searchDeliveries>> = await searchDeliveries(
          { ...request, ...(cursor === null ? {} : { cursor }) },
          signal,
        )
        deliveries.push(...page.data)
        cursor = page.nextCursor
      } while (cursor !== null && deliveries.length < MOST)
      return { deliveries: deliveries.reverse(), hasMore: cursor !== null }
    },
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
}

interface ProgressProps {
  progress: ResendProgress
  total: number
  isRunning: boolean
  error: Error | null
}

function Progress({ progress, total, isRunning, error }: ProgressProps) {
  const done = doneOf(progress)
  return (
    <div className={styles.progress}>
      <div className={styles.bar}>
        <Bar share={total === 0 ? 1 : done / total} label={words.progressLabel} />
        <small>{words.progress(done, total)}</small>
      </div>
      <div role="status" className={styles.progress}>
        {progress.waitSeconds !== null && <p>{words.waiting(progress.waitSeconds)}</p>}
        {!isRunning && <p>{words.sent(progress.sent)}</p>}
        {!isRunning && done < total && error === null && <p>{words.stopped(total - done)}</p>}
      </div>
      {progress.refused.size > 0 && (
        <Notice tone="warning">
          {[...progress.refused].map(([reason, count]) => (
            <p key={reason}>{words.refused(count, reason)}</p>
          ))}
        </Notice>
      )}
      {error !== null && <RequestFailure error={error} />}
    </div>
  )
}
