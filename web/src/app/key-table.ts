/** Where a key works. The help lists scopes in this order. */
export const KEY_SCOPES = ['everywhere', 'places', 'list', 'verdict', 'triage', 'select', 'explain', 'charts'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

export interface KeyEntry {
  scope: KeyScope
  /** Each is a key, or two pressed one after the other. `Mod` is Control or Command. */
  keys: readonly string[]
  label: string
  /** Also acts in a text field. */
  whileWriting?: boolean
}

/** Every key of the dashboard. Each has a button that does the same. */
export const KEYS = {
  palette: { scope: 'everywhere', keys: ['Mod k'], label: 'Find places, things and actions', whileWriting: true },
  help: { scope: 'everywhere', keys: ['?'], label: 'Show the keys' },
  filter: { scope: 'everywhere', keys: ['/'], label: 'Go to the filter' },
  back: { scope: 'everywhere', keys: ['Escape'], label: 'Go back one level' },
  undo: { scope: 'everywhere', keys: ['z'], label: 'Undo the last change' },
  requests: { scope: 'everywhere', keys: ['`'], label: 'Show the requests behind the page' },
  sideBar: { scope: 'everywhere', keys: ['\\'], label: 'Fold the side bar' },

  goInbox: { scope: 'places', keys: ['g i'], label: 'Inbox' },
  goSearch: { scope: 'places', keys: ['g s'], label: 'Search now' },
  goKeywords: { scope: 'places', keys: ['g k'], label: 'Keywords' },
  goPeople: { scope: 'places', keys: ['g p'], label: 'People' },
  goSegments: { scope: 'places', keys: ['g e'], label: 'Segments' },
  goAnalytics: { scope: 'places', keys: ['g a'], label: 'Analytics' },
  goRules: { scope: 'places', keys: ['g r'], label: 'Rules' },
  goChannels: { scope: 'places', keys: ['g c'], label: 'Channels' },
  goDeliveries: { scope: 'places', keys: ['g d'], label: 'Deliveries' },
  goStart: { scope: 'places', keys: ['g h'], label: 'Start' },
  goAttention: { scope: 'places', keys: ['g t'], label: 'Attention' },
  goMoney: { scope: 'places', keys: ['g b'], label: 'Money' },
  goSettings: { scope: 'places', keys: ['g ,'], label: 'Settings' },
  goDevelopers: { scope: 'places', keys: ['g v'], label: 'Developers' },
  goSources: { scope: 'places', keys: ['g o'], label: 'Sources' },

  next: { scope: 'list', keys: ['j', 'ArrowDown'], label: 'Next in the list' },
  previous: { scope: 'list', keys: ['k', 'ArrowUp'], label: 'Previous in the list' },
  first: { scope: 'list', keys: ['Home'], label: 'First in the list' },
  last: { scope: 'list', keys: ['End'], label: 'Last loaded' },
  open: { scope: 'list', keys: ['Enter', 'o'], label: 'Open the mention, or what helps' },
  backToList: { scope: 'list', keys: ['u'], label: 'Back to the list' },
  original: { scope: 'list', keys: ['v'], label: 'Open the post on its platform' },
  loadNew: { scope: 'list', keys: ['.'], label: 'Show what is new' },
  copyLink: { scope: 'list', keys: ['y'], label: 'Copy the link to the mention' },

  relevant: { scope: 'verdict', keys: ['r'], label: 'Relevant' },
  notRelevant: { scope: 'verdict', keys: ['n'], label: 'Not relevant' },
  positive: { scope: 'verdict', keys: ['+'], label: 'Positive' },
  neutral: { scope: 'verdict', keys: ['='], label: 'Neutral' },
  negative: { scope: 'verdict', keys: ['-'], label: 'Negative' },

  done: { scope: 'triage', keys: ['e'], label: 'Done, or dismiss an attention item' },
  ignore: { scope: 'triage', keys: ['i'], label: 'Ignore' },
  reopen: { scope: 'triage', keys: ['O'], label: 'Reopen' },
  snooze: { scope: 'triage', keys: ['h'], label: 'Snooze' },
  snoozeAgain: { scope: 'triage', keys: ['H'], label: 'Snooze as last time' },
  assign: { scope: 'triage', keys: ['a'], label: 'Assign' },
  note: { scope: 'triage', keys: ['c'], label: 'Note' },
  tag: { scope: 'triage', keys: ['t'], label: 'Tag the person' },
  mute: { scope: 'triage', keys: ['M'], label: 'Mute the person' },

  select: { scope: 'select', keys: ['x'], label: 'Select the mention' },
  selectNext: { scope: 'select', keys: ['J'], label: 'Extend the selection down' },
  selectPrevious: { scope: 'select', keys: ['K'], label: 'Extend the selection up' },
  selectAll: { scope: 'select', keys: ['Mod a'], label: 'Select all loaded; again: all that match' },

  why: { scope: 'explain', keys: ['w'], label: 'Why is this here' },
  less: { scope: 'explain', keys: ['l'], label: 'Less like this' },
  person: { scope: 'explain', keys: ['p'], label: 'The person who wrote it' },
  deliveries: { scope: 'explain', keys: ['f'], label: 'Deliveries of the mention' },

  days7: { scope: 'charts', keys: ['7'], label: 'Last 7 days' },
  days30: { scope: 'charts', keys: ['3'], label: 'Last 30 days' },
  days90: { scope: 'charts', keys: ['9'], label: 'Last 90 days' },
} as const satisfies Record<string, KeyEntry>

export type KeyAction = keyof typeof KEYS
export const KEY_ACTIONS = Object.keys(KEYS) as KeyAction[]

/** The first key of an action, as it stands beside a button. */
export function keyOf(action: KeyAction): string {
  return KEYS[action].keys[0]
}
