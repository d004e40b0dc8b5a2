export type Language = 'json' | 'http' | 'shell' | 'text'

export interface Token {
  kind: 'plain' | 'key' | 'string' | 'number' | 'word'
  text: string
}

/** A name with its colon ahead, a string, a number, a word of JSON, or a run of anything else. */
const JSON_TOKEN = new RegExp(
  [
    /(?<key>"(?:[^"\\]|\\.)*"(?=\s*:))/,
    /(?<string>"(?:[^"\\]|\\.)*")/,
    /(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/,
    /(?<word>\b(?:true|false|null)\b)/,
    /[^"\d\-tfn]+|./,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
)

/** Splits code into coloured parts; the texts of the parts together are the code. */
export function tokenize(code: string, language: Language): Token[] {
  if (language === 'json') return joinPlain(jsonTokens(code))
  if (language === 'http') return joinPlain(httpTokens(code))
  return [{ kind: 'plain', text: code }]
}

function jsonTokens(code: string): Token[] {
  return Array.from(code.matchAll(JSON_TOKEN), ({ 0: text, groups }) => ({ kind: kindOf(groups), text }))
}

function kindOf(groups: Record<string, string | undefined> | undefined): Token['kind'] {
  const named = Object.entries(groups ?? {}).find(([, text]) => text !== undefined)
  return (named?.[0] as Token['kind'] | undefined) ?? 'plain'
}

/** The first line, then headers until the empty line, then a body, which is JSON where it begins like JSON. */
function httpTokens(code: string): Token[] {
  const gap = /\r?\n\r?\n/.exec(code)
  const end = gap ? gap.index : code.length
  const [first = '', ...headers] = code.slice(0, end).split(/(?<=\n)/)
  const body = code.slice(end)
  return [
    { kind: 'word', text: first },
    ...headers.flatMap(headerTokens),
    ...(/^\s*[[{]/.test(body) ? jsonTokens(body) : [{ kind: 'plain', text: body } as const]),
  ]
}

function headerTokens(line: string): Token[] {
  const colon = line.indexOf(':')
  if (colon < 0) return [{ kind: 'plain', text: line }]
  return [
    { kind: 'key', text: line.slice(0, colon) },
    { kind: 'plain', text: line.slice(colon) },
  ]
}

function joinPlain(tokens: readonly Token[]): Token[] {
  const joined: Token[] = []
  for (const token of tokens) {
    const last = joined.at(-1)
    if (token.text === '') continue
    if (token.kind === 'plain' && last?.kind === 'plain') last.text += token.text
    else joined.push({ ...token })
  }
  return joined
}
