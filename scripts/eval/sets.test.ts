import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { TRAINED_SETS } from '../train/trained.ts'
import { mayTrain, SETS } from './sets.ts'

describe('the sets', () => {
  test('that train are all allowed to, and their licences stand in the card of the model', () => {
    const listed = new Set(
      [
        ...readFileSync(new URL('../../models/README.md', import.meta.url), 'utf8').matchAll(/^\| ([a-z_0-9, ]+) \|/gm),
      ].flatMap(([, names]) => names!.split(', ')),
    )
    for (const set of TRAINED_SETS) expect([set, mayTrain(set), listed.has(set)]).toEqual([set, true, true])
    expect(SETS.filter(({ name }) => !mayTrain(name) && listed.has(name))).toEqual([])
  })
})
