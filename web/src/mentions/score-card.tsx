import type { Mention } from '../api/mentions.ts'
import { RelevanceBar } from '../app/post/relevance-bar.tsx'
import { SentimentWord } from '../app/post/sentiment.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { formatShare } from '../kit/share.tsx'
import styles from './score-card.module.css'
import { words } from './words.ts'

interface ScoreProps {
  mention: Mention
  onVerdict: (relevant: boolean) => void
  onRescore: () => void
}

/** What the scorer says, how sure, and the verdict of the team. */
export function ScoreCard({ mention, onVerdict, onRescore }: ScoreProps) {
  const { classification, keyword } = mention
  if (classification === null) return <Card title={words.score}>{words.unscored}</Card>
  const { relevance, sentiment, confidence, note, feedback, failed } = classification
  const verdict = feedback?.relevant ?? null
  return (
    <Card title={words.score} aside={confidence === null ? null : words.sure(formatShare(confidence))}>
      {failed && (
        <p className={styles.failed}>
          {words.failedScore}{' '}
          <Button size="small" onClick={onRescore}>
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
      {verdict !== null && feedback?.original.relevance != null && (
        <p className={styles.note}>{words.verdictOver(String(feedback.original.relevance))}</p>
      )}
      <fieldset className={styles.verdicts}>
        <legend className={styles.legend}>{words.verdict}</legend>
        <Button aria-pressed={verdict === true} keys="r" onClick={() => onVerdict(true)}>
          {words.actRelevant}
        </Button>
        <Button aria-pressed={verdict === false} keys="n" onClick={() => onVerdict(false)}>
          {words.actNotRelevant}
        </Button>
      </fieldset>
    </Card>
  )
}
