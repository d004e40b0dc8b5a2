import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { disconnectSlack } from '../../api/slack.ts'
import { Button } from '../../kit/button.tsx'
import { DeleteDialog } from '../delete-dialog.tsx'
import styles from './new-channel.module.css'
import { words } from './words.ts'

/** Ends the connection to the team at Slack, after a question. */
export function DisconnectSlack({ team }: { team: string }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const deletion = useMutation({
    mutationFn: disconnectSlack,
    onSuccess: async () => {
      setAsking(false)
      await Promise.all([['slack'], ['channels']].map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
  return (
    <div className={styles.row}>
      <Button size="small" onClick={() => setAsking(true)}>
        {words.slackDisconnect}
      </Button>
      <DeleteDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={words.slackDisconnectTitle(team)}
        text={words.slackDisconnectText}
        label={words.slackDisconnect}
        deletion={deletion}
      />
    </div>
  )
}
