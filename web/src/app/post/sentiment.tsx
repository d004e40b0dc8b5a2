import styles from './sentiment.module.css'
import { words } from './words.ts'

export type Sentiment = keyof typeof words.sentiments

export function SentimentWord({ sentiment, term }: { sentiment: Sentiment; term?: string }) {
  const word = words.sentiments[sentiment]
  return (
    <span className={styles[sentiment]}>
      <span aria-hidden="true">{words.sentimentSigns[sentiment]}</span>{' '}
      {term === undefined ? word : words.toward(word, term)}
    </span>
  )
}
