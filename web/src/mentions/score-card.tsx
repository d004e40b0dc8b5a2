import type { Mention } from '../api/mentions.ts'
import { keyOf } from '../app/key-table.ts'
import { RelevanceBar } from '../app/post/relevance-bar.tsx'
import { type Sentiment, SentimentWord } from '../app/post/sentiment.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { formatShare } from '../kit/share.tsx'
import styles from './score-card.module.css'
import type { MentionActions } from './use-mention-actions.tsx'
import { words } from './words.ts'

interface ScoreProps {
  mention: Mention
  actions: MentionActions
}

/** What the scorer says, how sure, and the verdict of the team. */
export function ScoreCard({ mention, actions }: ScoreProps) {
  const { classification, keyword } = mention
  if (classification === null) return <Card title={words.score}>{words.unscored}</Card>
  const { relevance, sentiment, confidence, note, feedback, failed } = classification
  const isOverruled = feedback?.relevant != null
  return (
    <Card title={words.score} aside={confidence === null ? null : words.sure(formatShare(confidence))}>
      {failed && (
        <p className={styles.failed}>
          {words.failedScore}{' '}
          <Button size="small" onClick={actions.rescore}>
            {words.actRescore}
          </Button>
        </p>
      )}
      {relevance !== null && (
        <div className={styles.score}>
          <strong className={styles.figure}>{relevance}</strong>
          <div className={styles.meter}>
            {sentiment !== null && <SentimentWord sentiment={sentiment} term={keyword.term} />}
            <RelevanceBar relevance={relevance} />
          </div>
        </div>
      )}
      {note !== null && <p className={styles.note}>{note}</p>}
      {isOverruled && feedback?.original.relevance != null && (
        <p className={styles.note}>{words.verdictOver(String(feedback.original.relevance))}</p>
      )}
      <Verdicts mention={mention} actions={actions} />
    </Card>
  )
}

const SENTIMENTS: readonly Sentiment[] = ['positive', 'neutral', 'negative']

function Verdicts({ mention: { classification }, actions }: ScoreProps) {
  const feedback = classification?.feedback ?? null
  return (
    <fieldset className={styles.verdicts}>
      <legend className={styles.legend}>{words.verdict}</legend>
      <Button
        aria-pressed={feedback?.relevant === true}
        keys={keyOf('relevant')}
        onClick={() => actions.setRelevant(true)}
      >
        {words.actRelevant}
      </Button>
      <Button
        aria-pressed={feedback?.relevant === false}
        keys={keyOf('notRelevant')}
        onClick={() => actions.setRelevant(false)}
      >
        {words.actNotRelevant}
      </Button>
      {SENTIMENTS.map((sentiment) => (
        <Button
          key={sentiment}
          aria-pressed={feedback?.sentiment === sentiment}
          keys={keyOf(sentiment)}
          onClick={() => actions.setSentiment(sentiment)}
        >
          <SentimentWord sentiment={sentiment} />
        </Button>
      ))}
    </fieldset>
  )
}
