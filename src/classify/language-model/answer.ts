import { z } from 'zod'
import { INTENTS, SENTIMENTS, type Verdict } from '../../domain/mention/classification.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'

/** Invalid verdicts are dropped, never repaired; other fields are ignored. */
const answer = z.object({ verdicts: z.array(z.unknown()).max(1000) })
const verdict = z.object({
  id: z.string(),
  relevance: z.int().min(0).max(100),
  sentiment: z.enum(SENTIMENTS),
  intents: z.array(z.enum(INTENTS)).max(100),
  automated: z.boolean(),
  language: z
    .string()
    .regex(/^[a-z]{2}$/)
    .nullable(),
  confidence: z.number().min(0).max(1),
  note: z.string().max(4000),
})

/**
 * Returns the valid verdicts by requested id. An id that occurs twice has no verdict, because a post may have asked for
 * one of the two.
 */
export function verdictsIn(value: unknown, ids: readonly string[]): Map<string, Verdict> {
  const read = answer.safeParse(value)
  if (!read.success) return new Map()
  const wanted = new Set(ids)
  const said = read.data.verdicts.flatMap((item) => {
    const id = typeof item === 'object' && item !== null && 'id' in item ? item.id : null
    return typeof id === 'string' && wanted.has(id) ? [[id, verdict.safeParse(item)] as const] : []
  })
  const times = new Map<string, number>()
  for (const [id] of said) times.set(id, (times.get(id) ?? 0) + 1)
  return new Map(
    said.flatMap(([id, { success, data }]) => (success && times.get(id) === 1 ? [[id, verdictOf(data)] as const] : [])),
  )
}

function verdictOf({
  intents,
  confidence,
  note,
  relevance,
  sentiment,
  automated,
  language,
}: z.infer<typeof verdict>): Verdict {
  return {
    relevance,
    sentiment,
    intents: INTENTS.filter((intent) => intents.includes(intent)),
    automated,
    language,
    confidence: Math.round(confidence * 100) / 100,
    note: plainNote(note),
  }
}

const NOTE_MAX = 200
const NO_NOTE = 'The language model gave no reason.'

/** One plain line, because a note may repeat links, markup or hidden characters of a post. */
function plainNote(note: string): string {
  const plain = cleanLine(note.replace(HIDDEN, ''))
    .replace(TAG, '')
    .replace(ADDRESS, '(link)')
    .replace(MARKUP, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return /[\p{L}\p{N}]/u.test(plain) ? excerpt(plain, NOTE_MAX) : NO_NOTE
}

const HIDDEN = /[\p{Cf}\p{Co}\p{Cn}]/gu
const TAG = /<[^<>]{0,500}>/g
const ADDRESS = /\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+/giu
const MARKUP = /[<>`*_#|[\]{}\\~^\u2028\u2029]/g
