import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createChannel } from '../api/channels.ts'
import { createInspection } from '../api/inspections.ts'
import { SetUpFailure } from '../app/new-channel/set-up-failure.tsx'
import { Button } from '../kit/button.tsx'
import styles from './start.module.css'
import { useVisit } from './visit.ts'
import { words } from './words.ts'

/** The receiver of the service itself, and a webhook channel to it, with one press. */
export function BrowserCard() {
  const client = useQueryClient()
  const { change } = useVisit()
  const creation = useMutation({
    mutationFn: async () => {
      const { id, url } = await createInspection(words.inboxName)
      return { inspectionId: id, channel: await createChannel({ kind: 'webhook', url, label: words.inboxLabel }) }
    },
    onSuccess: async ({ inspectionId, channel: { id: channelId } }) => {
      change({
        channelId,
        inbox: { channelId, inspectionId },
        waitsFor: null,
        test: null,
        secret: null,
        reopened: null,
      })
      await client.invalidateQueries({ queryKey: ['channels'] })
    },
  })
  return (
    <>
      <p>{words.inboxHint}</p>
      <div className={styles.row}>
        <Button variant="primary" busy={creation.isPending} onClick={() => creation.mutate()}>
          {words.createInbox}
        </Button>
      </div>
      <SetUpFailure error={creation.error} />
    </>
  )
}
