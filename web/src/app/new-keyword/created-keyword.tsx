import { Link } from 'wouter'
import type { CreatedKeyword } from '../../api/keywords.ts'
import { KeywordHints } from './keyword-hints.tsx'
import styles from './new-keyword.module.css'
import { words } from './words.ts'

/** What follows a new keyword: the advice on it, and where to go. */
export function CreatedKeywordPanel({ keyword }: { keyword: CreatedKeyword }) {
  return (
    <div className={styles.stack} role="status">
      <p className={styles.created} dir="auto">
        {words.created(keyword.term)}
      </p>
      {keyword.hints.length === 0 && <p>{words.noHints}</p>}
      <KeywordHints keyword={keyword} hints={keyword.hints} />
      <p className={styles.actions}>
        <Link href={`/keywords/${keyword.id}`}>{words.openKeyword}</Link>
        <Link href={`/inbox?keywordIds=${keyword.id}`}>{words.openMentions}</Link>
      </p>
    </div>
  )
}
