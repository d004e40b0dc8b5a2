import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { INTENTS } from '../../src/domain/mention/classification.ts'
import { problemsInLines } from '../../test/listed-lines.ts'
import { readSeeds } from './seed-file.ts'

const FOLDER = new URL('seeds/', import.meta.url)
const NONE = 'none'
/** What may stand in the first column of a file, and how many columns it has. */
const FILES: Record<string, { first: readonly string[]; columns: readonly number[] }> = {
  'ambiguous-names': { first: namesOf('ambiguous-posts'), columns: [2] },
  'ambiguous-posts': { first: namesOf('ambiguous-names'), columns: [3] },
  issues: { first: ['bug_report', 'feedback', 'question', NONE], columns: [2, 3] },
  'opinion-phrases': { first: ['positive', 'negative'], columns: [2] },
  'opinion-words': { first: ['positive', 'negative'], columns: [2] },
  purposes: { first: [...INTENTS, NONE], columns: [2] },
  reviews: { first: ['bug_report', 'feedback', 'testimonial', NONE], columns: [2] },
}

describe('the seeds', () => {
  test('are all looked at', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(FILES).map((name) => `${name}.tsv`))
  })

  test.each(Object.entries(FILES))(
    'of %s stand each on a line of their own, once, under a known label',
    (name, file) => {
      const text = readFileSync(new URL(`${name}.tsv`, FOLDER), 'utf8')
      const rows = text
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t'))
      expect(problemsInLines(text)).toEqual([])
      expect(rows.filter((row) => !file.first.includes(row[0]!) || !file.columns.includes(row.length))).toEqual([])
    },
  )

  test('have a sense where they are posts of ambiguous names', () => {
    const senses = readSeeds('ambiguous-posts', ['term', 'sense', 'text']).map(({ sense }) => sense)
    expect([...new Set(senses)]).toEqual(['about', 'other'])
  })
})

function namesOf(file: string): string[] {
  return readSeeds(file, ['term']).map(({ term }) => term)
}
