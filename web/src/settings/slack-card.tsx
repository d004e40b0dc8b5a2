import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { disconnectSlack, getSlack } from '../api/slack.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { useMay } from '../app/use-may.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import styles from './settings.module.css'
import { words } from './words.ts'

/** The team at Slack, where one is connected. New teams are connected where a channel is made. */
export function SlackCard() {
  const client = useQueryClient()
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const slack = useQuery({ queryKey: ['slack'], queryFn: ({ signal }) => getSlack(signal), retry: false })
  const deletion = useMutation({
    mutationFn: disconnectSlack,
    onSuccess: async () => {
      setAsking(false)
      await Promise.all([['slack'], ['channels']].map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
  const isAbsent = slack.error instanceof ApiError && [404, 409, 503].includes(slack.error.status)
  if (slack.data === undefined || isAbsent) return null
  const { name } = slack.data.team
  return (
    <Card title={words.slack}>
      <div className={styles.stack}>
        <p>{words.slackTeam(name)}</p>
        <div className={styles.line}>
          <Button disabled={!may.manage} onClick={() => setAsking(true)}>
            {words.disconnectSlack}
          </Button>
        </div>
        {!may.manage && <p className={styles.small}>{words.whoDisconnects}</p>}
      </div>
      <DeleteDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={words.disconnectTitle(name)}
        text={words.disconnectText}
        label={words.disconnectSlack}
        deletion={deletion}
      />
    </Card>
  )
}
