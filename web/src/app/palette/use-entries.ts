import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listKeywords } from '../../api/keywords.ts'
import { dispatcher } from '../keys.ts'
import { ALL_PLACES, type Place } from '../places.ts'
import { ALERTS_QUERY, CHANNELS_QUERY, useViews } from '../workspace-queries.ts'
import { actionEntries, type Entry, findEntries, linkEntry } from './entries.ts'
import { words } from './words.ts'

const KEYWORDS_SHOWN = 8

/** Parts of pages that somebody looks for by their own name. */
const PARTS: readonly Entry[] = [linkEntry('places', words.suppressions, '/settings/suppressions')]

const CREATE: readonly Entry[] = [
  linkEntry('create', words.newKeyword, '/search'),
  linkEntry('create', words.newRule, '/alerts/new'),
  linkEntry('create', words.newChannel, '/channels/new'),
]

/** What can be found for the query. Keywords are looked for by the server, because there may be hundreds. */
export function useEntries(query: string) {
  const q = query.trim()
  const keywords = useQuery({
    queryKey: ['keywords', 'named', q],
    queryFn: ({ signal }) => listKeywords({ q, limit: KEYWORDS_SHOWN }, signal),
    enabled: q !== '',
    placeholderData: (before) => before,
  })
  const { data: views } = useViews()
  const { data: rules } = useQuery(ALERTS_QUERY)
  const { data: channels } = useQuery(CHANNELS_QUERY)
  // The page stays as it is while the palette is open.
  const ofPage = useMemo(() => actionEntries((action) => dispatcher.handles(action)), [])
  return useMemo(() => {
    const entries: Entry[] = [
      ...ALL_PLACES.map(placeEntry),
      ...PARTS,
      ...ofPage,
      ...CREATE,
      ...named('keywords', '/keywords/', keywords.data?.data, ({ term }) => term),
      ...named('views', '/inbox/', views?.data, ({ name }) => name),
      ...named('rules', '/alerts/', rules?.data, ({ name }) => name),
      ...named('channels', '/channels/', channels?.data, ({ label }) => label),
    ]
    return findEntries(entries, query)
  }, [ofPage, keywords.data, views, rules, channels, query])
}

function placeEntry({ label, keys, href }: Place): Entry {
  return { ...linkEntry('places', label, href), keys }
}

function named<Thing extends { id: string }>(
  group: Entry['group'],
  page: string,
  things: readonly Thing[] | undefined,
  nameOf: (thing: Thing) => string,
): Entry[] {
  return (things ?? []).map((thing) => linkEntry(group, nameOf(thing), page + thing.id))
}
