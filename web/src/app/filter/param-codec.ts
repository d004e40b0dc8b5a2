/** How a parameter of the API stands in an address. */
export type ParamKind = 'words' | 'number' | 'numbers' | 'flag' | 'text'

/** The readable parameters of an address, by their names. */
export function readParams(kinds: Readonly<Record<string, ParamKind>>, search: URLSearchParams): object {
  const pairs = Object.entries(kinds).flatMap(([name, kind]) => {
    const text = search.get(name)
    const value = text === null || text === '' ? undefined : readParam(kind, text)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(pairs)
}

export function printParams(kinds: Readonly<Record<string, ParamKind>>, values: object): URLSearchParams {
  const search = new URLSearchParams()
  const given = new Map(Object.entries(values))
  for (const name of Object.keys(kinds)) {
    const value: unknown = given.get(name)
    if (value !== undefined) search.set(name, String(value))
  }
  return search
}

function readParam(kind: ParamKind, text: string): unknown {
  if (kind === 'text') return text
  if (kind === 'flag') return text === 'true' || text === 'false' ? text === 'true' : undefined
  if (kind === 'number') return numberIn(text)
  const words = text.split(',').filter((word) => word !== '')
  if (kind === 'words') return words.length === 0 ? undefined : words
  const numbers = words.map(numberIn)
  return numbers.length === 0 || numbers.includes(undefined) ? undefined : numbers
}

function numberIn(text: string): number | undefined {
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number
}
