import { z } from 'zod'
import { FILTER_LIMITS } from '../../domain/workspace/filters.ts'
import { clearable, lineIn, textOut, timeOut } from '../shapes.ts'

// Entries may grow when they are brought into their normal form: a name becomes a link, a character several.
const entriesOut = z.array(textOut(4000)).max(FILTER_LIMITS.entries)

export const filters = z
  .strictObject({
    excludedTerms: entriesOut.meta({ description: 'Lower case. A leading or trailing * is a wildcard.' }),
    excludedAuthors: entriesOut.meta({ description: 'Profile links or plain names.' }),
    excludedRepos: entriesOut.meta({ description: 'GitHub repository, owner/name.' }),
    subreddits: z.strictObject({
      only: entriesOut.meta({
        description: 'If not empty, posts of all other subreddits are dropped and `excluded` is ignored.',
      }),
      excluded: entriesOut,
    }),
    version: z.int().min(1).meta({ description: 'Increases with every change. Send it as `ifVersion`.' }),
    updatedAt: timeOut,
  })
  .meta({ id: 'Filters', description: 'Rules that apply to every keyword in addition to its own.' })

/** A list that callers set anew. */
export const entriesIn = clearable(z.array(lineIn(1, FILTER_LIMITS.entryMax)).max(FILTER_LIMITS.entries), [])
