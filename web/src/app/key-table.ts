/** Where a key works. The help lists scopes in this order. */
export const KEY_SCOPES = ['everywhere', 'places', 'list', 'verdict', 'triage', 'select', 'explain', 'charts'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

export interface KeyEntry {
  scope: KeyScope
  /** Each is a key, or two pressed one after the other. `Mod` is Control or Command. */
  keys: readonly string[]
  /** Also acts in a text field. */
  whileWriting?: boolean
}

/** Every key of the dashboard. Each has a button that does the same. */
export const KEYS = {
  palette: { scope: 'everywhere', keys: ['Mod k'], whileWriting: true },
  help: { scope: 'everywhere', keys: ['?'] },
  filter: { scope: 'everywhere', keys: ['/'] },
  back: { scope: 'everywhere', keys: ['Escape'] },
  undo: { scope: 'everywhere', keys: ['z'] },
  requests: { scope: 'everywhere', keys: ['`'] },
  sideBar: { scope: 'everywhere', keys: ['\\'] },

  goInbox: { scope: 'places', keys: ['g i'] },
  goSearch: { scope: 'places', keys: ['g s'] },
  goKeywords: { scope: 'places', keys: ['g k'] },
  goPeople: { scope: 'places', keys: ['g p'] },
  goSegments: { scope: 'places', keys: ['g e'] },
  goAnalytics: { scope: 'places', keys: ['g a'] },
  goRules: { scope: 'places', keys: ['g r'] },
  goChannels: { scope: 'places', keys: ['g c'] },
  goDeliveries: { scope: 'places', keys: ['g d'] },
  goStart: { scope: 'places', keys: ['g h'] },
  goAttention: { scope: 'places', keys: ['g t'] },
  goMoney: { scope: 'places', keys: ['g b'] },
  goSettings: { scope: 'places', keys: ['g ,'] },
  goDevelopers: { scope: 'places', keys: ['g v'] },
  goSources: { scope: 'places', keys: ['g o'] },

  next: { scope: 'list', keys: ['j', 'ArrowDown'] },
  previous: { scope: 'list', keys: ['k', 'ArrowUp'] },
  first: { scope: 'list', keys: ['Home'] },
  last: { scope: 'list', keys: ['End'] },
  open: { scope: 'list', keys: ['Enter', 'o'] },
  backToList: { scope: 'list', keys: ['u'] },
  original: { scope: 'list', keys: ['v'] },
  loadNew: { scope: 'list', keys: ['.'] },
  copyLink: { scope: 'list', keys: ['y'] },

  relevant: { scope: 'verdict', keys: ['r'] },
  notRelevant: { scope: 'verdict', keys: ['n'] },
  positive: { scope: 'verdict', keys: ['+'] },
  neutral: { scope: 'verdict', keys: ['='] },
  negative: { scope: 'verdict', keys: ['-'] },

  done: { scope: 'triage', keys: ['e'] },
  ignore: { scope: 'triage', keys: ['i'] },
  reopen: { scope: 'triage', keys: ['O'] },
  snooze: { scope: 'triage', keys: ['h'] },
  snoozeAgain: { scope: 'triage', keys: ['H'] },
  assign: { scope: 'triage', keys: ['a'] },
  note: { scope: 'triage', keys: ['c'] },
  tag: { scope: 'triage', keys: ['t'] },
  mute: { scope: 'triage', keys: ['M'] },

  select: { scope: 'select', keys: ['x'] },
  selectNext: { scope: 'select', keys: ['J'] },
  selectPrevious: { scope: 'select', keys: ['K'] },
  selectAll: { scope: 'select', keys: ['Mod a'] },

  why: { scope: 'explain', keys: ['w'] },
  less: { scope: 'explain', keys: ['l'] },
  person: { scope: 'explain', keys: ['p'] },
  deliveries: { scope: 'explain', keys: ['f'] },

  days7: { scope: 'charts', keys: ['7'] },
  days30: { scope: 'charts', keys: ['3'] },
  days90: { scope: 'charts', keys: ['9'] },
} as const satisfies Record<string, KeyEntry>

export type KeyAction = keyof typeof KEYS
export const KEY_ACTIONS = Object.keys(KEYS) as KeyAction[]

/** The first key of an action, as it stands beside a button. */
export function keyOf(action: KeyAction): string {
  return KEYS[action].keys[0]
}
