import { listAny } from '../../kit/list.ts'
import type { Translation } from '../../kit/translation.ts'
import { words as postWords } from '../post/words.ts'
import { ENUM_PARAMS, type FilterParam } from './filter-params.ts'
import type { words as english } from './words.ts'

const PARAM_WORDS: Readonly<Record<FilterParam, string>> = {
  q: 'Wörter',
  keywordIds: 'Suchbegriff',
  notKeywordIds: 'nicht Suchbegriff',
  keywordKinds: 'Art des Suchbegriffs',
  groupIds: 'Gruppe',
  notGroupIds: 'nicht Gruppe',
  platforms: 'Plattform',
  notPlatforms: 'nicht Plattform',
  status: 'Status',
  relevant: 'relevant',
  minRelevance: 'Relevanz ab',
  maxRelevance: 'Relevanz bis',
  failed: 'Bewertung fehlgeschlagen',
  delivered: 'zugestellt',
  unassigned: 'nicht zugewiesen',
  minConfidence: 'Sicherheit ab',
  sentiments: 'Stimmung',
  notSentiments: 'nicht Stimmung',
  intents: 'Absicht',
  notIntents: 'nicht Absicht',
  automated: 'automatisiert',
  languages: 'Sprache',
  notLanguages: 'nicht Sprache',
  tags: 'Tag',
  notTags: 'nicht Tag',
  linkHosts: 'verlinkt',
  notLinkHosts: 'verlinkt nicht',
  excludeAuthors: 'ohne',
  minFollowers: 'Follower ab',
  maxFollowers: 'Follower bis',
  isReply: 'Antwort',
  ratings: 'Sterne',
  notRatings: 'nicht Sterne',
  minLikes: 'Likes ab',
  minReposts: 'Reposts ab',
  minReplies: 'Antworten ab',
  minQuotes: 'Zitate ab',
  minViews: 'Aufrufe ab',
  minBookmarks: 'Lesezeichen ab',
  alertId: 'Regel',
  personId: 'Person',
  includeMuted: 'auch stumme Personen',
  assigneeId: 'zugewiesen an',
  snoozed: 'zurückgestellt',
  reviewApp: 'rezensierte App',
  reviewCountry: 'rezensiert in',
  reviewVersion: 'rezensierte Version',
  createdSince: 'gefunden ab',
  createdUntil: 'gefunden bis',
  since: 'veröffentlicht ab',
  until: 'veröffentlicht bis',
}

/** Values of ENUM_PARAMS other than intents. */
const VALUE_WORDS: Readonly<Record<string, string>> = {
  true: 'ja',
  false: 'nein',
  open: 'offen',
  ignored: 'ignoriert',
  done: 'erledigt',
  positive: 'positiv',
  neutral: 'neutral',
  negative: 'negativ',
  brand: 'Marke',
  competitor: 'Wettbewerber',
  topic: 'Thema',
}

export const words: Translation<typeof english> = {
  filter: 'Filter',
  filterPlaceholder: 'Wörter, oder platform:reddit -intent:hiring followers:>1000',
  applyFilter: 'Anwenden',
  addKeyword: 'Eines Suchbegriffs',
  addGroup: 'Einer Gruppe',
  removeChip: (text) => `Filter „${text}“ entfernen`,
  param: (param) => PARAM_WORDS[param],
  chipValue: (param, value) => listAny([value].flat().map((word) => shown(param, String(word)))),
  passing: 'Eine gespeicherte Ansicht kann diesen Teil nicht enthalten',
}

function shown(param: FilterParam, value: string): string {
  if (!ENUM_PARAMS.has(param)) return value
  return VALUE_WORDS[value] ?? postWords.intent(value)
}
