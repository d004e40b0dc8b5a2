import { z } from 'zod'
import { changeLists, type EntriesChange, type ListsJudge } from '../../../commands/filters/change-entries.ts'
import { updateFilters } from '../../../commands/filters/update-filters.ts'
import { isRefusal, type Refusal, refuseField } from '../../../domain/refusal/refusal.ts'
import { FILTER_LIMITS } from '../../../domain/workspace/filters.ts'
import { lineIn, textOut } from '../../../operations/shapes.ts'
import { type FiltersView, getFilters, shownAuthor } from '../../../queries/filters.ts'
import { type CompatContext, defineCompat } from '../define.ts'
import { orElse } from '../fields.ts'
import { renamed } from '../renamed.ts'

const LISTS = [
  'negativeKeywords',
  'negativeAuthors',
  'negativeSubreddits',
  'positiveSubreddits',
  'negativeRepos',
] as const
type ListName = (typeof LISTS)[number]

/** Normal forms may be longer than what was sent. */
const listOut = z.array(textOut(4000)).max(FILTER_LIMITS.entries)
const listsOut = {
  negativeKeywords: listOut,
  negativeAuthors: listOut,
  negativeSubreddits: listOut,
  positiveSubreddits: listOut,
  negativeRepos: listOut,
}

const entry = lineIn(1, FILTER_LIMITS.entryMax)
const listIn = z.array(entry).max(FILTER_LIMITS.entries).optional()
const allowEmpty = z.boolean().default(false).meta({ description: 'Whether a list may become empty.' })

const STORED = {
  negativeKeywords: 'excludedTerms',
  negativeAuthors: 'excludedAuthors',
  negativeSubreddits: 'subredditsExcluded',
  positiveSubreddits: 'subredditsOnly',
  negativeRepos: 'excludedRepos',
} as const satisfies Record<ListName, string>

const OPPOSITE: Readonly<Partial<Record<ListName, ListName>>> = {
  negativeSubreddits: 'positiveSubreddits',
  positiveSubreddits: 'negativeSubreddits',
}

const FIELD_NAMES = {
  excludedTerms: 'negativeKeywords',
  excludedAuthors: 'negativeAuthors',
  excludedRepos: 'negativeRepos',
  'subreddits.only': 'positiveSubreddits',
  'subreddits.excluded': 'negativeSubreddits',
} as const

type Lists = Partial<Record<ListName, readonly string[] | undefined>>

function listsOf({
  excludedTerms,
  excludedAuthors,
  excludedRepos,
  subreddits,
}: FiltersView): Record<ListName, string[]> {
  return {
    negativeKeywords: excludedTerms,
    negativeAuthors: excludedAuthors,
    negativeSubreddits: subreddits.excluded,
    positiveSubreddits: subreddits.only,
    negativeRepos: excludedRepos,
  }
}

/** The lists as our commands take them; entries are kept in small letters. */
function changeFrom(lists: Lists): EntriesChange['add'] {
  const small = (name: ListName) => lists[name]?.map((text) => text.toLowerCase())
  return {
    excludedTerms: small('negativeKeywords'),
    excludedAuthors: small('negativeAuthors'),
    excludedRepos: small('negativeRepos'),
    subreddits: { only: small('positiveSubreddits'), excluded: small('negativeSubreddits') },
  }
}

export const getGlobalFiltersCompat = defineCompat({
  id: 'get-global-filters',
  method: 'GET',
  path: '/filters/global',
  access: 'read',
  summary: 'Get the global filters',
  description: 'Returns the lists that apply to every keyword.',
  tag: 'Filters',
  output: z.strictObject(listsOut),
  run: async (context) => listsOf(await getFilters(context)),
})

export const updateGlobalFiltersCompat = defineCompat({
  id: 'update-global-filters',
  method: 'PATCH',
  path: '/filters/global',
  access: 'write',
  summary: 'Update the global filters',
  description: 'Replaces the lists that are sent and keeps the others. Emptying a list needs `allowEmpty`.',
  tag: 'Filters',
  body: z
    .strictObject({
      negativeKeywords: listIn,
      negativeAuthors: listIn,
      negativeSubreddits: listIn,
      positiveSubreddits: listIn,
      negativeRepos: listIn,
      allowEmpty,
    })
    .refine((body) => LISTS.some((name) => body[name] !== undefined), orElse('must hold at least one list')),
  output: z.strictObject(listsOut),
  errors: ['stale_version'],
  run: async (context, { body }) => {
    const { allowEmpty: mayEmpty, ...lists } = body
    return await replaced(context, lists, mayEmpty)
  },
})

/** Times that lists which somebody else changed meanwhile are read again. */
const TRIES = 20

async function replaced(
  context: CompatContext<'write'>,
  lists: Lists,
  mayEmpty: boolean,
): Promise<Record<ListName, string[]> | Refusal> {
  for (let tried = 1; ; tried += 1) {
    const before = await getFilters(context)
    const emptied = LISTS.find((name) => lists[name]?.length === 0 && listsOf(before)[name].length > 0)
    if (emptied !== undefined && !mayEmpty) return refuseField(emptied, EMPTIES)
    const after = await updateFilters(context, { ...changeFrom(lists), ifVersion: before.version })
    if (!isRefusal(after)) return listsOf(after)
    if (after.code !== 'stale_version' || tried === TRIES) return renamed(after, FIELD_NAMES) as Refusal
  }
}

const EMPTIES = 'would become empty; send allowEmpty true if that is meant'

const changeIn = z.strictObject({
  list: z.enum(LISTS),
  values: z.array(entry).min(1).max(FILTER_LIMITS.entriesAtOnce),
  allowEmpty,
})

export const addGlobalFiltersCompat = defineCompat({
  id: 'add-global-filters',
  method: 'POST',
  path: '/filters/global/add',
  access: 'write',
  summary: 'Add to a global filter',
  description:
    `Adds up to ${FILTER_LIMITS.entriesAtOnce} entries to a list and returns it. Entries that are there already are ` +
    'passed over; a subreddit of the opposite list is `dropped`.',
  tag: 'Filters',
  body: changeIn,
  output: z.strictObject({ list: z.enum(LISTS), added: listOut, dropped: listOut, values: listOut }),
  run: async (context, { body: { list, values } }) => {
    const dropped: string[] = []
    const opposite = OPPOSITE[list]
    const keepApart: ListsJudge = (before, merged) => {
      if (opposite === undefined) return merged
      const other = new Set(before[STORED[opposite]])
      const had = new Set(before[STORED[list]])
      dropped.splice(0, dropped.length, ...merged[STORED[list]].filter((name) => other.has(name) && !had.has(name)))
      return { ...merged, [STORED[list]]: merged[STORED[list]].filter((name) => !dropped.includes(name)) }
    }
    const changed = await changeLists(context, { add: changeFrom({ [list]: values }), remove: {} }, keepApart)
    if (isRefusal(changed)) return valuesProblem(changed)
    const [before, after] = [changed.before, changed.after].map((filters) => shownList(filters[STORED[list]], list))
    return { list, added: after!.filter((item) => !before!.includes(item)), dropped, values: after! }
  },
})

export const removeGlobalFiltersCompat = defineCompat({
  id: 'remove-global-filters',
  method: 'POST',
  path: '/filters/global/remove',
  access: 'write',
  summary: 'Remove from a global filter',
  description:
    `Removes up to ${FILTER_LIMITS.entriesAtOnce} entries from a list and returns it. ` +
    'Emptying it needs `allowEmpty`.',
  tag: 'Filters',
  body: changeIn,
  output: z.strictObject({ list: z.enum(LISTS), removed: listOut, values: listOut }),
  run: async (context, { body: { list, values, allowEmpty: mayEmpty } }) => {
    const stored = STORED[list]
    const keepOne: ListsJudge = (before, merged) =>
      !mayEmpty && merged[stored].length === 0 && before[stored].length > 0 ? refuseField('values', EMPTIES) : merged
    const changed = await changeLists(context, { add: {}, remove: changeFrom({ [list]: values }) }, keepOne)
    if (isRefusal(changed)) return valuesProblem(changed)
    const [before, after] = [changed.before, changed.after].map((filters) => shownList(filters[stored], list))
    return { list, removed: before!.filter((item) => !after!.includes(item)), values: after! }
  },
})

function shownList(entries: readonly string[], list: ListName): string[] {
  return [...new Set(list === 'negativeAuthors' ? entries.map(shownAuthor) : entries)]
}

/** Whatever list is meant, its entries are `values` here. */
function valuesProblem(refusal: Refusal): Refusal {
  const within = ['add', 'remove'].flatMap((part) =>
    Object.keys(FIELD_NAMES).map((name) => [`${part}.${name}`, 'values'] as const),
  )
  return renamed(refusal, Object.fromEntries([...within, ['add', 'values'], ['remove', 'values']])) as Refusal
}
