import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Channel, testChannel } from '../api/channels.ts'
import { SetUpFailure } from '../app/new-channel/set-up-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Notice } from '../kit/notice.tsx'
import { Inspected } from './inspected.tsx'
import styles from './start.module.css'
import { useVisit } from './visit.ts'
import { words } from './words.ts'

/** Sends the test event with one attempt, and says what came of it. */
export function TestStep({ channel }: { channel: Channel }) {
  const { visit, change } = useVisit()
  const client = useQueryClient()
  const channelId = channel.id
  const sending = useMutation({
    mutationFn: () => testChannel(channelId),
    onSuccess: async ({ outcomes }) => {
      const outcome = outcomes.find((answer) => answer.channelId === channelId)
      change({
        reopened: null,
        test: { channelId, outcome: outcome?.ok ? 'delivered' : 'failed', error: outcome?.error ?? null },
      })
      await client.invalidateQueries({ queryKey: ['inspection'] })
    },
  })
  const skip = () => change({ reopened: null, test: { channelId, outcome: 'skipped', error: null } })
  const failed = visit.test?.channelId === channelId && visit.test.outcome === 'failed' ? visit.test : null
  return (
    <>
      <p className={styles.quiet}>{words.testHint(channel.label)}</p>
      <div role="status">
        {failed !== null && (
          <Notice tone="negative">
            <p>{words.testFailed(channel.label)}</p>
            <p>{failed.error}</p>
          </Notice>
        )}
      </div>
      <SetUpFailure error={sending.error} />
      <div className={styles.row}>
        <Button variant="primary" busy={sending.isPending} onClick={() => sending.mutate()}>
          {failed === null ? words.sendTest : words.testAgain}
        </Button>
        {(failed !== null || sending.error !== null) && <Button onClick={skip}>{words.withoutTest}</Button>}
      </div>
    </>
  )
}

/** The test as the inbox of this visit received it. */
export function ReceivedTest({ channel }: { channel: Channel }) {
  const { inbox, test } = useVisit().visit
  if (inbox?.channelId !== channel.id || test?.channelId !== channel.id) return null
  return <Inspected inspectionId={inbox.inspectionId} channel={channel} isWanted={(event) => event === 'test'} />
}
