import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { newCharacters } from '../src/classify/offline/intents/spelling.ts'
import { newReading } from '../src/classify/offline/text/reading.ts'
import { newTokens, tokenise } from '../src/classify/offline/text/tokens.ts'
import { DEFAULT_MATCHING } from '../src/domain/keyword/keyword.ts'
import { searchedTextOf } from '../src/domain/post/searched-text.ts'
import { refuse } from '../src/domain/refusal/refusal.ts'
import { tokens } from '../src/matching/index.ts'
import { getWalletOperation } from '../src/operations/billing/get-wallet.ts'
import { toolsOf } from '../src/surfaces/mcp/tools.ts'
import { fasterThanLinear } from './growth.ts'
import { isText, type TextFunction, textFunctions } from './text-functions.ts'

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url))

/** Runs of these, between these, are what makes an expression begin again and again where it has just failed. */
const UNITS = [
  ...' |\t|\n|\r\n|\u00a0|\u2028|\0|\u200b|\u200d|\u202e|\ufeff|a|A|0|_|-|.|,|;|:|/|\\|"|\'|`|(|)|[|]|{|}|<|>|&|#|@|=|+|*|%|\u0301|é|火|あ|🚀|👨‍👩‍👧|İ|ﷺ|\ud800'.split(
    '|',
  ),
  '|',
  ...[
    'a\n',
    'a ',
    ' \n',
    '; ',
    '<a',
    '</',
    '<!--',
    '<![CDATA[',
    '<a b="',
    '\\[',
    '](',
    '[a](',
    '&#',
    '&amp;',
    '%2',
    'a.',
    'a@',
    '@a',
    '#a ',
    '..',
    '//',
    '/a',
    '{"',
    '[{',
    "a'",
    'a-',
    '=?',
    '\n> ',
    '1,',
  ],
  ...['a+b@c.d ', 'http://a ', '"a" OR ', 'not a ', '*a* ', '`a` '],
]
/** What makes a function look at the rest of a text at all, and lets it fail at the end. */
const FRAMES = [
  ['x', 'y'],
  ['https://a.example/', '!'],
] as const
const PATTERNS = [
  ...UNITS.map((unit) => ({ unit, frame: FRAMES[0] })),
  ...['a', 'a/', '/', 'a.', '?a=', '&a=', '%2', '-', '#'].map((unit) => ({ unit, frame: FRAMES[1] })),
  ...['[', '{"a":', '{"a":"', '"a",'].map((unit) => ({ unit, frame: ['', ''] as const })),
]

/** What is handed over beside a text, or made of it, by the type of the parameter. */
const OTHER_VALUES: Readonly<Record<string, (text: string) => unknown>> = {
  'readonly (readonly string[])[]': (text) => [[text, text]],
  'Record<string, unknown>': (text) => ({ text }),
  'Readonly<Record<string, string | null>>': (text) => ({ text }),
  'Readonly<Record<string, unknown>>': (text) => ({ text }),
  '(name: string) => boolean': () => () => true,
  '{ wildcards: boolean; max: number }': () => ({ wildcards: true, max: 100_000 }),
  "'come' | 'go'": () => 'come',
  'readonly AuthorIdentity[]': () => [],
  'ReadonlyMap<string, Tool>': () => new Map(),
  'readonly NamedWorkspace[]': (text) => [{ id: UUID, name: text }],
  'readonly number[]': () => [1],
  'readonly object[]': () => [],
  'readonly Tool[]': () => toolsOf([getWalletOperation]),
  'HomeServer | null': () => null,
  RowPlace: () => ({ line: 2, table: 'keyword' }),
  'number | null': () => 300,
  "Post['platform']": () => 'reddit',
  "Pick<Keyword, 'term' | 'platforms' | 'reviewSources'>": (text) => ({
    term: text,
    platforms: null,
    reviewSources: [],
  }),
  AbortSignal: () => new AbortController().signal,
  Bigints: () => ({ add: () => undefined }),
  Buffer: () => Buffer.alloc(32),
  ChannelKind: () => 'webhook',
  Code: () => 'conflict',
  CutWords: () => tokens,
  Date: () => new Date(0),
  Distinct: () => newCharacters(),
  ExplainedStep: () => 'term',
  FacetKind: () => 'word',
  HandlePlatform: () => 'reddit',
  IdPrefix: () => 'kw',
  IncomingHttpHeaders: (text) => ({ cookie: text, accept: text, 'mcp-protocol-version': text }),
  Int32Array: () => new Int32Array(4),
  Matching: () => DEFAULT_MATCHING,
  MentionFilter: () => ({}),
  Occurrence: () => ({ start: 0, end: 1, first: 0, last: 0, from: 0, to: 0, standing: 'prose' }),
  OAuthErrorCode: () => 'invalid_request',
  Platform: () => 'reddit',
  TextReading: () => newReading(),
  Refusal: (text) => refuse('conflict', text),
  ReviewPlatform: () => 'trustpilot',
  Tokens: (text) => tokensOf(text),
  URLSearchParams: (text) => new URLSearchParams(text),
  Uuid: () => UUID,
  Venue: () => 'post',
  boolean: () => true,
  number: () => 300,
  object: (text) => ({ text }),
}
const UUID = '0190a000-0000-7000-8000-000000000000'

/**
 * Why functions with a parameter of these types are not called here. Whoever adds a type says what it is, above or
 * here.
 */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'It answers a request: what it takes of one is read by functions that are called here.': [
    'ChosenWorkspace',
    'FastifyInstance',
    'FastifyReply',
    'FastifyRequest',
  ],
  'It needs a trained model; the classifier reads no more than 8,192 characters.': [
    'Brands',
    'LearnedGroups',
    'Moods',
    'Parts',
    'Spelling',
    'MoodFeatures',
    'Traits',
  ],
  'It weighs numbers, and passes its text on.': [
    'Finding',
    'Mood',
    'Refunded',
    'Relevance',
    'RunFacts',
    'SavedState',
    'TermFlow',
  ],
  'It is handed a service, which does the work.': [
    'AnswerCheck',
    'Cell',
    'Cli',
    'PlacesSource',
    'PolledSource',
    'FeedSource',
    'Clock',
    'Log',
    'QueueMetrics',
    "Pick<Installation, 'sealer'>",
    "Pick<Sealer, 'open'>",
    "Pick<Services, 'sealer'>",
    'Schema',
    'Sealer',
    'Sealing',
    'StackPauses',
  ],
  'It reads what the operator has set, once at the start, or says how.': [
    '(entry: string) => boolean',
    'Readonly<Record<string, string | undefined>>',
    'GivenSettings',
    'RegExp',
    'ValuesOf<typeof MAIL_SETTINGS>',
    'ValuesOf<typeof PROXY_SETTINGS & typeof OPERATOR_SETTINGS>',
    'ValuesOf<typeof USER_AGENT_SETTINGS & typeof SOURCES_SETTINGS>',
  ],
  'It renders pages of this repository, which no stranger writes.': ['Language', 'Library', 'LinkResolver'],
  'It reads one post, whose text has at most 8,192 bytes.': ['{ caseSensitive: boolean; most: number }'],
  'It declares a metric.': ['readonly Label[]'],
  'It declares a command of the command line.': ['Command'],
  'It is handed an address that the standard library has read.': ['URL'],
  'It takes a whole thing, whose texts have bounds; the functions that read those are called here.': [
    "Pick<FeedAddress, 'id'>",
    "Pick<PromptInputs, 'mayWrite'>",
    'ActorReview',
    'Allowance',
    'AuthChoice',
    'ChannelView | Refusal',
    'Client',
    'ClientAssertion',
    'CommentView',
    'ContextGround',
    'CookieUse',
    'ErrorEnvelope',
    'FetchedDocument',
    'Head',
    'HeldGrant',
    'InspectedRequest',
    'KeywordInputFields',
    'KnownAuthors',
    'Operation',
    'Outgoing',
    'PeopleBehind',
    'PeopleBehind & { keys: readonly string[] }',
    'PlaceReview',
    'SlackMessage',
    'SigningKeys',
    'ViewFeed',
    'DeliveryContent',
    'Html',
    'readonly (Post | null)[]',
    'readonly Limit[]',
    'readonly Row[]',
    'readonly SamplePost[]',
    'z.ZodType<Data>',
    'z.core.$RefinementCtx',
  ],
}
/** Folders and files whose functions do something in the world when they are called. */
const IN_THE_WORLD = ['store/embedded/', 'main/sealing-key.ts', 'kernel/thread.ts']

const ALL = textFunctions(SOURCES).filter(({ file }) => !IN_THE_WORLD.some((path) => file.startsWith(path)))
const reasons = new Map(Object.values(ELSEWHERE).flatMap((types) => types.map((type) => [type, true])))
const isCalled = ({ parameters }: TextFunction) => parameters.every((type) => isText(type) || type in OTHER_VALUES)
const CALLED = ALL.filter(isCalled)

test('every exported function that takes a text is called, or something says why not', () => {
  const unexplained = ALL.filter(
    (textFunction) => !isCalled(textFunction) && !textFunction.parameters.some((type) => reasons.has(type)),
  )
  expect(unexplained.map(({ file, name, parameters }) => `${file} ${name}(${parameters.join(', ')})`)).toEqual([])
  const types = new Set(ALL.flatMap(({ parameters }) => parameters))
  expect(
    [...Object.keys(OTHER_VALUES), ...reasons.keys()].filter((type) => !types.has(type)),
    'types that no function has any more',
  ).toEqual([])
  expect(IN_THE_WORLD.filter((path) => !existsSync(SOURCES + path))).toEqual([])
  expect(CALLED.length).toBeGreaterThan(150)
})

function tokensOf(text: string) {
  const into = newTokens()
  tokenise(text, into)
  return into
}

type Call = (text: string) => unknown

/**
 * All texts of a call are the long one, and where there are several each of the first two alone as well: equal ones may
 * be told apart at a glance.
 */
async function callsOf({ file, name, parameters }: TextFunction): Promise<Call[]> {
  const made = (
    (await import(/* @vite-ignore */ pathToFileURL(SOURCES + file).href)) as Record<
      string,
      (...all: unknown[]) => unknown
    >
  )[name]!
  const places = parameters.flatMap((type, at) => (isText(type) ? [at] : []))
  const filled = (long: readonly number[]) => (text: string) =>
    made(
      ...parameters.map((type, at) =>
        isText(type) ? textIn(type, long.includes(at) ? text : 'example') : OTHER_VALUES[type]!(text),
      ),
    )
  return [filled(places), ...(places.length > 1 ? places.slice(0, 2).map((place) => filled([place])) : [])]
}

function textIn(type: string, text: string): unknown {
  return /\[\]|^Iterable/.test(type) ? [text] : text
}

/** A text that cannot be taken is refused by some, which takes its time as well. */
function quietly(call: Call): Call {
  return (text) => {
    try {
      return call(text)
    } catch {
      return undefined
    }
  }
}

const texts = new Map<string, string>()
function textOf({ unit, frame: [before, behind] }: (typeof PATTERNS)[number], length: number): string {
  const key = `${length} ${before}${unit}`
  let text = texts.get(key)
  if (text === undefined) {
    text = before + unit.repeat(Math.ceil(length / unit.length)) + behind
    // Asked for one of its characters, the runtime puts the pieces together now instead of while somebody is timed.
    text.charCodeAt(text.length >> 1)
    texts.set(key, text)
  }
  return text
}

function findings(name: string, call: Call): string[] {
  return PATTERNS.flatMap((pattern) => {
    const found = fasterThanLinear(quietly(call), (length) => textOf(pattern, length))
    return found === null ? [] : [`${name} on runs of ${JSON.stringify(pattern.unit)}: ${found}`]
  })
}

describe('the time of a function grows no faster than its text', () => {
  const calls: { name: string; call: Call }[] = []
  beforeAll(async () => {
    for (const textFunction of CALLED)
      for (const call of await callsOf(textFunction))
        calls.push({ name: `${textFunction.file} ${textFunction.name}`, call })
    const post = (text: string) =>
      searchedTextOf({
        platform: 'reddit',
        title: text,
        text,
        links: [text],
        author: { id: null, name: text, handle: text, url: null },
      } as never)
    calls.push({ name: 'domain/post/searched-text.ts searchedTextOf', call: post })
  })

  // It takes twenty seconds; the limit is for machines that do other things as well.
  test('whatever it is a run of', { timeout: 300_000 }, () => {
    expect(calls.flatMap(({ name, call }) => findings(name, call))).toEqual([])
  })

  test('and the test sees one that does: what the table of people once was made with', () => {
    const breaks = /([;\t\r\n][\s\p{Cc}\p{Cf}]*)(?=[=+@\uff1d\uff0b\uff20])/gu
    const seen = findings('', (text) => text.replace(breaks, "$1'"))
    expect(seen.length).toBeGreaterThan(3)
  })
})
