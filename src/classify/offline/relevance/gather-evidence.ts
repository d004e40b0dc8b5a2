import type { PreparedKeyword } from '../keyword/keyword.ts'
import type { TextReading } from '../text/reading.ts'
import type { Evidence } from './evidence.ts'
import { weighPlaces } from './places.ts'
import { type SubjectWords, weighSubject } from './subject.ts'

/** Linear in the length of the text. The subject is weighed only when a context or feedback needs it. */
export function gatherEvidence(
  known: SubjectWords,
  keyword: PreparedKeyword,
  reading: TextReading,
  into: Evidence,
  marked: boolean,
): void {
  into.values.fill(0)
  into.direction.fill(0)
  into.telling = 0
  into.known = 0
  into.shared = null
  into.excluded = null
  into.wanted = 0
  into.unwanted = 0
  if (marked || keyword.wanted.size > 0 || keyword.unwanted.size > 0) weighSubject(known, keyword, reading, into)
  weighPlaces(known.directions, keyword, reading.tokens, into.values)
}
