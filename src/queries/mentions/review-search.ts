import type { MentionFilter } from '../../domain/filter/fields.ts'
import { type Statement, sql } from '../../store/database.ts'

/** What a review says of itself. Null asks nothing; one fact at least is asked. */
export interface ReviewFacts {
  /** By its id. */
  app: string | null
  /** In lower case. */
  country: string | null
  version: string | null
}

/** So that summaries of blocks leave out those without a review. */
export const EVERY_REVIEW: MentionFilter = { ratings: [1, 2, 3, 4, 5] }

/** Reviews are few, and the filter by ratings has found them, so that each post is read. */
export function ofReview({ app, country, version }: ReviewFacts): Statement<unknown> {
  const said = [
    ...(app === null ? [] : [sql`r.review -> 'app' ->> 'id' = ${app}`]),
    ...(country === null ? [] : [sql`r.review ->> 'country' = ${country}`]),
    ...(version === null ? [] : [sql`r.review ->> 'version' = ${version}`]),
  ]
  return sql`exists (select from post r where r.id = m.post_id and ${sql.join(said, sql` and `)})`
}
