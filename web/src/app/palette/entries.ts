import { KEY_ACTIONS, KEYS, type KeyAction, type KeyScope, keyOf } from '../key-table.ts'
import { keyWords } from '../key-words.ts'
import { words } from './words.ts'

/** Groups in the order in which they stand. */
export const ENTRY_GROUPS = [
  'jump',
  'places',
  'actions',
  'create',
  'keywords',
  'views',
  'rules',
  'channels',
  'search',
] as const
export type EntryGroup = (typeof ENTRY_GROUPS)[number]

/** Something to find: it leads to an address of this installation, or acts on what the page shows. */
export interface Entry {
  group: EntryGroup
  label: string
  keys?: string
  does: { href: string } | { action: KeyAction }
}

export type EntryList = { value: EntryGroup; items: Entry[] }

export function linkEntry(group: EntryGroup, label: string, href: string): Entry {
  return { group, label, does: { href } }
}

/** Pages of things by the prefix of their ids. */
const PAGES_OF_IDS: Readonly<Record<string, string>> = {
  mtn: '/mentions/',
  kw: '/keywords/',
  vw: '/inbox/',
  feed: '/alerts/',
  dest: '/channels/',
  dlv: '/deliveries/',
  att: '/attention?item=',
}

const SHOWN_IN_GROUP = 8
/** Without a query. Things are found by their names. */
const AT_FIRST: readonly EntryGroup[] = ['places', 'actions', 'create']

/** Places are entries of their own, and moving through a list needs its keys. */
const OTHER_SCOPES: readonly KeyScope[] = ['places', 'list']
const NO_ENTRIES: readonly KeyAction[] = ['palette', 'back']

/** What the page can do now. */
export function actionEntries(handles: (action: KeyAction) => boolean): Entry[] {
  return KEY_ACTIONS.filter(
    (action) => !OTHER_SCOPES.includes(KEYS[action].scope) && !NO_ENTRIES.includes(action) && handles(action),
  ).map((action) => ({ group: 'actions', label: keyWords[action], keys: keyOf(action), does: { action } }))
}

/** Entries whose names hold every word of the query, the best of each group first. */
export function findEntries(entries: readonly Entry[], query: string): EntryList[] {
  const wanted = folded(query).split(' ').filter(Boolean)
  const found =
    wanted.length === 0 ? entries.filter(({ group }) => AT_FIRST.includes(group)) : matching(entries, wanted)
  const all = [...jumpTo(query.trim()), ...found, ...(wanted.length === 0 ? [] : searchesFor(query.trim()))]
  const limit = wanted.length === 0 ? entries.length : SHOWN_IN_GROUP
  return ENTRY_GROUPS.map((group) => ({
    value: group,
    items: all.filter((entry) => entry.group === group).slice(0, limit),
  })).filter(({ items }) => items.length > 0)
}

function matching(entries: readonly Entry[], wanted: readonly string[]): Entry[] {
  return entries
    .map((entry) => ({ entry, rank: rankOf(folded(entry.label), wanted) }))
    .filter(({ rank }) => rank !== null)
    .sort((one, other) => one.rank! - other.rank!)
    .map(({ entry }) => entry)
}

/** The lower the better; null when a word is missing. The start of a name is better than that of a word within it. */
function rankOf(name: string, wanted: readonly string[]): number | null {
  let rank = 0
  for (const word of wanted) {
    const at = name.indexOf(word)
    if (at < 0) return null
    if (at > 0) rank += name.includes(` ${word}`) ? 1 : 2
  }
  return rank
}

/** Small letters without accents, and single spaces. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** The page of a pasted id. */
function jumpTo(query: string): Entry[] {
  const prefix = /^([a-z]+)_[0-9A-Za-z]+$/.exec(query)?.[1]
  const page = prefix === undefined ? undefined : PAGES_OF_IDS[prefix]
  if (page === undefined) return []
  return [linkEntry('jump', words.open(query), page + query)]
}

function searchesFor(query: string): Entry[] {
  const q = encodeURIComponent(query)
  return [
    linkEntry('search', words.searchMentions(query), `/inbox?q=${q}`),
    linkEntry('search', words.searchNow(query), `/search?q=${q}`),
  ]
}
