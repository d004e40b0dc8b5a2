/** Parts of the path and parameters, taken out of an input. */
export interface Address {
  /** With its parameters. */
  path: string
  /** What is neither part of the path nor a parameter. */
  rest: Record<string, unknown>
}

/** `inQuery` says which names are parameters. */
export function addressOf(
  template: string,
  input: Readonly<Record<string, unknown>>,
  inQuery: (name: string) => boolean,
): Address {
  const rest = { ...input }
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name}: is required`)
    return encodeURIComponent(value)
  })
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    if (!inQuery(name)) continue
    delete rest[name]
    for (const text of textsOf(value)) parameters.append(name, text)
  }
  return { path: parameters.size === 0 ? path : `${path}?${parameters}`, rest }
}

/** A list repeats its parameter; groups of conditions are one parameter of JSON. */
function textsOf(value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (value instanceof Date) return [value.toISOString()]
  if (!Array.isArray(value)) return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
  return value.some((item) => typeof item === 'object') ? [JSON.stringify(value)] : value.map(String)
}
