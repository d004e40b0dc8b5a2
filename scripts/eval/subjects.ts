import type { Mark, Subject } from '../../src/classify/contract.ts'
import type { Review } from '../../src/domain/post/post.ts'
import { uuidFromName } from '../../src/kernel/ids.ts'
import type { Row } from '../train/data.ts'
import type { EvaluatedSet } from './sets/set.ts'

const NOBODY = uuidFromName('the sets')
/** A keyword for sets that name none: it stands in no text. */
const NO_TERM = 'zqexample'
const NO_REVIEW: Review = {
  rating: 0,
  ratingMax: 5,
  title: null,
  version: null,
  country: null,
  verified: null,
  response: null,
  responseAt: null,
  app: null,
}

/** A row of a set as the classifier is asked of it. */
export function subjectOf(set: EvaluatedSet, row: Row, marks: readonly Mark[] = []): Subject {
  const { term, kind = 'brand', context = null } = set.keywordOf?.(row) ?? { term: NO_TERM }
  const stars = set.starsOf?.(row) ?? null
  const review = stars === null ? null : { ...NO_REVIEW, rating: stars }
  return {
    post: {
      platform: set.platformOf(row),
      title: set.titleOf?.(row) ?? null,
      text: row.text,
      links: [],
      languageHint: null,
      author: null,
      review,
    },
    keyword: { term, kind },
    keywordContext: context,
    companyContext: null,
    marks,
    workspaceId: NOBODY,
  }
}
