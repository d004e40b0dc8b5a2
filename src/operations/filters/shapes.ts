import { z } from 'zod'
import { FILTER_LIMITS } from '../../domain/workspace/filters.ts'
import { clearable, lineIn, textOut, timeOut } from '../shapes.ts'

// Entries may grow when they are brought into their normal form: a name becomes a link, a character several.
const entriesOut = z.array(textOut(4000)).max(FILTER_LIMITS.entries)

export const filters = z
  .strictObject({
    excludedTerms: entriesOut.meta({ description: 'In lower case; a leading or trailing * is a wildcard.' }),
    excludedAuthors: entriesOut.meta({ description: 'Links of profiles, or plain names.' }),
    excludedRepos: entriesOut.meta({ description: 'owner/name at GitHub.' }),
    subreddits: z.strictObject({
      only: entriesOut.meta({
        description: 'When it names any, posts of other subreddits are dropped, and `excluded` does not count.',
      }),
      excluded: entriesOut,
    }),
    version: z.int().min(1).meta({ description: 'Grows with every change; send it as ifVersion.' }),
    updatedAt: timeOut,
  })
  .meta({ id: 'Filters', description: 'Rules that apply to every keyword of the workspace, on top of its own.' })

/** A list that callers set anew. */
export const entriesIn = clearable(z.array(lineIn(1, FILTER_LIMITS.entryMax)).max(FILTER_LIMITS.entries), [])
