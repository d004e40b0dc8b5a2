import { parseRepository } from '../../domain/platform/github.ts'
import { parseSubreddit } from '../../domain/platform/reddit.ts'
import { shownAuthor } from '../../queries/filters.ts'
import type { Moving } from './moving.ts'
import type { ShownWorkspace } from './workspace.ts'

const LISTS = [
  'negativeKeywords',
  'negativeAuthors',
  'negativeSubreddits',
  'positiveSubreddits',
  'negativeRepos',
] as const

/** Entries of one request. */
const TOGETHER = 200

/** Entries are added together, and one by one where one of them is refused. */
export async function moveFilters(
  theirs: ShownWorkspace['filters'],
  ours: ShownWorkspace['filters'],
  moving: Moving,
): Promise<void> {
  for (const list of LISTS) {
    const present = new Set(ours[list] ?? [])
    const missing: string[] = []
    for (const entry of theirs[list] ?? []) {
      if (present.has(normalOf(list, entry))) moving.isThere(nameOf(list, entry))
      else missing.push(entry)
    }
    for (let from = 0; from < missing.length; from += TOGETHER)
      await addEntries(list, missing.slice(from, from + TOGETHER), moving)
  }
}

/** An entry as lists here show it. */
function normalOf(list: (typeof LISTS)[number], entry: string): string {
  const small = entry.trim().toLowerCase()
  if (list === 'negativeAuthors') return shownAuthor(small)
  if (list === 'negativeRepos') return parseRepository(small) ?? small
  return list === 'negativeKeywords' ? small : (parseSubreddit(small) ?? small)
}

async function addEntries(list: (typeof LISTS)[number], entries: readonly string[], moving: Moving): Promise<void> {
  const path = '/filters/global/add'
  const things = entries.map((entry) => nameOf(list, entry))
  const together = await moving.makeTogether(things, 'POST', path, { list, values: entries })
  const answers = [together]
  if (together === null)
    for (const entry of entries)
      answers.push(await moving.make(nameOf(list, entry), 'POST', path, { list, values: [entry] }))
  for (const answer of answers)
    for (const entry of (answer as { dropped?: string[] } | null)?.dropped ?? [])
      moving.leave(nameOf(list, entry), 'it stands in the opposite list')
}

function nameOf(list: string, entry: string): string {
  return `${list} "${entry}"`
}

const FIELDS = [
  'name',
  'description',
  'productUseCases',
  'competitors',
  'relevanceContext',
  'relevanceGuidelines',
  'twitter',
  'linkedin',
] as const
/** What the other company has and ours does not, with where it may go. */
const MISSING = {
  domain: 'there is no such field here',
  website: 'set it at PATCH /v1/company',
  industry: 'there is no such field here',
  sector: 'there is no such field here',
  tags: 'there is no such field here',
  companyMoat: 'there is no such field here',
  classificationGuidelines: 'add what matters to relevanceGuidelines',
} as const

/** Fields that are set here stay. */
export async function moveCompany(
  theirs: Record<string, unknown>,
  ours: Record<string, unknown>,
  moving: Moving,
): Promise<void> {
  for (const [field, reason] of Object.entries(MISSING))
    if (theirs[field]) moving.leave(`company field ${field}`, reason)
  if (/"description"\s*:\s*"[^"]/.test(String(theirs['competitors'] ?? '')))
    moving.leave('company field competitors', 'descriptions of competitors are not kept')
  for (const field of FIELDS) {
    if (!theirs[field]) continue
    const what = `company field ${field}`
    if (ours[field]) moving.isThere(what)
    else await moving.make(what, 'PATCH', '/org/company', { [field]: theirs[field] })
  }
}
