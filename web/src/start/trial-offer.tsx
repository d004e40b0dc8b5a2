import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createKeyword, deleteKeyword } from '../api/keywords.ts'
import { SetUpFailure } from '../app/new-channel/set-up-failure.tsx'
import { Button } from '../kit/button.tsx'
import styles from './start.module.css'
import { useVisit } from './visit.ts'
import { words } from './words.ts'

/** A word that somebody writes every few seconds. */
const TERM = 'coffee'
const CAP = 20
/** The price that the operation which creates keywords names. */
const MENTION_CENTS = 0.8
/** How long a term may be silent before a busier one is offered, in milliseconds. */
const PATIENCE_MS = 10_000

/** Offers a busy topic for a moment, once nothing came for a while. */
export function TrialOffer({ reason }: { reason: string }) {
  const { visit } = useVisit()
  const isLong = useIsLong()
  const client = useQueryClient()
  const { change } = useVisit()
  const trial = useMutation({
    mutationFn: () =>
      createKeyword({
        term: TERM,
        kind: 'topic',
        cap: { mentions: CAP },
        muted: false,
        platforms: null,
        context: null,
      }),
    onSuccess: async (created) => {
      await client.invalidateQueries({ queryKey: ['keywords'] })
      change({ trial: created })
    },
  })
  return (
    <div aria-live="polite" className={styles.stack}>
      {isLong && visit.trial === null && (
        <>
          <p>{reason}</p>
          <div className={styles.row}>
            <Button busy={trial.isPending} onClick={() => trial.mutate()}>
              {words.trialOffer(TERM)}
            </Button>
            <small className={styles.beside}>{words.trialCost(CAP, CAP * MENTION_CENTS)}</small>
          </div>
          <SetUpFailure error={trial.error} />
        </>
      )}
    </div>
  )
}

function useIsLong(): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setLong, PATIENCE_MS, true)
    return () => clearTimeout(timer)
  }, [])
  return isLong
}

/** The topic of the trial while it exists, with its end. */
export function RunningTrial() {
  const { visit, change } = useVisit()
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: deleteKeyword,
    onSuccess: async () => {
      change({ trial: null })
      await client.invalidateQueries({ queryKey: ['keywords'] })
      await client.invalidateQueries({ queryKey: ['mentions'] })
    },
  })
  const { trial } = visit
  if (trial === null) return null
  return (
    <div className={styles.row}>
      <p className={styles.beside}>{words.trialRuns(trial.term)}</p>
      <Button size="small" busy={end.isPending} onClick={() => end.mutate(trial.id)}>
        {words.trialEnd(trial.term)}
      </Button>
      <SetUpFailure error={end.error} />
    </div>
  )
}
