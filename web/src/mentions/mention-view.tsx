import { useState } from 'react'
import type { Mention } from '../api/mentions.ts'
import { keyOf } from '../app/key-table.ts'
import { useKeys } from '../app/keys.ts'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { formatExact } from '../kit/time.tsx'
import { AuthorLine } from './author-line.tsx'
import { DeliveryCard } from './delivery-card.tsx'
import { HistoryCard } from './history-card.tsx'
import styles from './mention-view.module.css'
import { type ExplainedPlaces, PostText } from './post-text.tsx'
import { ScoreCard } from './score-card.tsx'
import type { MentionActions } from './use-mention-actions.tsx'
import { useExplanation, WhyCard } from './why-card.tsx'
import { words } from './words.ts'

/** Which cards are unfolded. They stay so from mention to mention. */
interface Unfolded {
  why: boolean
  deliveries: boolean
  history: boolean
}

interface Folding {
  unfolded: Unfolded
  toggle: (card: keyof Unfolded) => void
}

/** Held by the page, because the view is made anew for each mention. */
export function useFolding(): Folding {
  const [unfolded, setUnfolded] = useState<Unfolded>({ why: false, deliveries: false, history: false })
  const toggle = (card: keyof Unfolded) => setUnfolded((shown) => ({ ...shown, [card]: !shown[card] }))
  useKeys({ why: () => toggle('why'), deliveries: () => toggle('deliveries') })
  return { unfolded, toggle }
}

interface MentionViewProps {
  mention: Mention
  actions: MentionActions
  folding: Folding
}

export function MentionView({ mention, actions, folding: { unfolded, toggle } }: MentionViewProps) {
  const explanation = useExplanation(mention, unfolded.why)
  return (
    <div className={styles.view}>
      <AuthorLine mention={mention} />
      <PostText mention={mention} explained={unfolded.why ? placesIn(explanation.data?.matches) : null} />
      <TriageLine mention={mention} />
      <PersonLine mention={mention} actions={actions} />
      <div className={styles.cards}>
        <ScoreCard mention={mention} actions={actions} />
        <WhyCard explanation={explanation} shown={unfolded.why} onShow={() => toggle('why')} />
        <DeliveryCard mention={mention} shown={unfolded.deliveries} onShow={() => toggle('deliveries')} />
        <HistoryCard mention={mention} shown={unfolded.history} onShow={() => toggle('history')} />
      </div>
    </div>
  )
}

function placesIn(matches: readonly { field: string; from: number; to: number }[] | undefined): ExplainedPlaces {
  if (matches === undefined) return null
  return {
    title: matches.filter(({ field }) => field === 'title'),
    text: matches.filter(({ field }) => field === 'text'),
  }
}

function PersonLine({ mention: { author }, actions }: { mention: Mention; actions: MentionActions }) {
  return (
    <div className={styles.triage}>
      {author?.tags.map((tag) => (
        <Badge key={tag} tone="accent">
          {tag}
        </Badge>
      ))}
      {author?.personId != null && (
        <>
          <Button size="small" keys={keyOf('person')} onClick={actions.openPerson}>
            {words.openPerson}
          </Button>
          <Button size="small" keys={keyOf('tag')} onClick={() => actions.ask('tag')}>
            {words.tagPerson}
          </Button>
          <Button size="small" keys={keyOf('mute')} onClick={actions.mute}>
            {words.mutePerson}
          </Button>
        </>
      )}
      <Button size="small" keys={keyOf('copyLink')} onClick={actions.copyLink}>
        {words.actCopy}
      </Button>
    </div>
  )
}

function TriageLine({ mention: { status, triage } }: { mention: Mention }) {
  const { assignee, snoozedUntil, note } = triage
  if (status === 'open' && assignee === null && snoozedUntil === null && note === null) return null
  return (
    <div className={styles.triage}>
      {status !== 'open' && <Badge tone="positive">{words.didStatus[status]}</Badge>}
      {assignee !== null && <Badge tone="warning">{words.assignee(assignee.name)}</Badge>}
      {snoozedUntil !== null && <Badge tone="accent">{words.snoozedUntil(formatExact(snoozedUntil))}</Badge>}
      {note !== null && <p className={styles.note}>{note}</p>}
    </div>
  )
}
