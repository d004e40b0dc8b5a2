import { SENTIMENTS, type Sentiment } from '../../domain/mention/classification.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Reader } from '../database.ts'

/** Null where the team left the verdict to the scorer. */
export interface StoredMark {
  relevant: boolean | null
  sentiment: Sentiment | null
  /** Title and text, cut to `MARK_CHARACTERS`. */
  text: string
}

export interface KeywordMarks {
  keywordId: Uuid
  version: number
  marks: readonly StoredMark[]
}

export const MARKS_MAX = 60
/** Sentiment alone says little about relevance. */
const SENTIMENTS_MAX = 12
export const MARK_CHARACTERS = 1000

interface MarkRow {
  keyword_id: Uuid
  version: number
  marks: { relevant: boolean | null; sentiment: number | null; text: string }[]
}

/** Balanced between relevant and not. Reads along an index, so the cost does not grow with the history. */
export async function readMarks(
  reader: Reader,
  keywords: readonly { workspaceId: Uuid; keywordId: Uuid }[],
): Promise<KeywordMarks[]> {
  // Feedback of one request has one time; the lower id then counts as newer, everywhere.
  const latest = (kind: string, most: number) =>
    `(select m.id, m.post_id, m.feedback_relevant, m.feedback_sentiment, m.feedback_at from mention m
       where m.workspace_id = t.workspace_id and m.keyword_id = t.keyword_id and m.feedback_at is not null
         and m.feedback_relevant ${kind}
       order by m.feedback_at desc, m.id limit ${most})`
  const rows = await reader.run<MarkRow>(
    'read-marks',
    `select t.keyword_id, c.marks_version as version, coalesce(l.marks, '[]') as marks
     from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, keyword_id)
     cross join lateral (select marks_version from keyword_counter c where c.workspace_id = t.workspace_id
       and c.keyword_id = t.keyword_id offset 0) c
     cross join lateral (
       select jsonb_agg(jsonb_build_object('relevant', n.feedback_relevant, 'sentiment', n.feedback_sentiment, 'text',
         left(concat_ws(E'\\n', nullif(p.title, ''), p.body), ${MARK_CHARACTERS}))
           order by n.feedback_at desc, n.id) as marks
       from (
         select k.*, row_number() over (partition by feedback_relevant order by feedback_at desc, id) as turn
         from (${latest('= true', MARKS_MAX)} union all ${latest('= false', MARKS_MAX)}
           union all ${latest('is null', SENTIMENTS_MAX)}) k
         order by turn, feedback_at desc, id limit ${MARKS_MAX}) n
       cross join lateral (select p.title, p.body from post p where p.id = n.post_id offset 0) p) l`,
    [keywords.map((keyword) => keyword.workspaceId), keywords.map((keyword) => keyword.keywordId)],
  )
  return rows.map((row) => ({ keywordId: row.keyword_id, version: row.version, marks: row.marks.map(fromRow) }))
}

function fromRow({ relevant, sentiment, text }: MarkRow['marks'][number]): StoredMark {
  return { relevant, sentiment: sentiment === null ? null : SENTIMENTS[sentiment]!, text }
}
