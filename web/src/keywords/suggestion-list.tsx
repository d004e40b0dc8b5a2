import { clsx } from 'clsx'
import { Link } from 'wouter'
import type { Keyword, Suggestion } from '../api/keywords.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { toneClass } from '../kit/tone.ts'
import styles from './keywords.module.css'
import { effectWords, lostHref, suggestionTitle } from './suggestion-words.ts'
import { useKeywordChange } from './use-keyword.ts'
import { words } from './words.ts'

interface SuggestionListProps {
  keyword: Keyword
  suggestions: readonly Suggestion[]
  days: number
}

export function SuggestionList({ keyword, suggestions, days }: SuggestionListProps) {
  if (suggestions.length === 0)
    return (
      <Card title={words.suggested}>
        <p className={styles.quiet}>{words.noSuggestions}</p>
      </Card>
    )
  return (
    <Card title={words.suggested} aside={words.replayed(days)}>
      <ul className={styles.rows}>
        {suggestions.map((suggestion, index) => (
          <SuggestionRow
            key={suggestion.type}
            keyword={keyword}
            suggestion={suggestion}
            days={days}
            isFirst={index === 0}
          />
        ))}
      </ul>
    </Card>
  )
}

interface SuggestionRowProps {
  keyword: Keyword
  suggestion: Suggestion
  days: number
  /** The first has the largest effect. */
  isFirst: boolean
}

function SuggestionRow({ keyword, suggestion, days, isFirst }: SuggestionRowProps) {
  const change = useKeywordChange(keyword)
  const title = suggestionTitle(suggestion)
  const apply = () => change.mutate({ change: suggestion.patch, text: words.applied(title) })
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <p className={styles.title} dir="auto">
          {title}
        </p>
        <p className={styles.small} dir="auto">
          {suggestion.why}
        </p>
        <p className={styles.parts}>
          {effectWords(suggestion.effect, days).map(({ text, tone, isLoss }) => (
            <span key={text} className={clsx(styles.tone, toneClass(tone))}>
              {text}
              {isLoss && (
                <>
                  {' · '}
                  <Link href={lostHref(keyword.id, suggestion)}>{words.lookAtThem}</Link>
                </>
              )}
            </span>
          ))}
        </p>
        {change.error !== null && <RequestFailure error={change.error} />}
      </div>
      <Button variant={isFirst ? 'primary' : 'plain'} busy={change.isPending} onClick={apply}>
        {words.apply}
      </Button>
    </li>
  )
}
