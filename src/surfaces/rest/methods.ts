import type { FastifyContextConfig, FastifyInstance } from 'fastify'

export interface KnownMethods {
  /** Empty when the path does not exist. */
  of(path: string): string[]
}

interface Pattern {
  parts: readonly string[]
  methods: Set<string>
}

/** Omits routes that only operators or a door may see. */
export function noteMethods(server: FastifyInstance): KnownMethods {
  const patterns = new Map<string, Pattern>()
  server.addHook('onRoute', ({ url, method, config }) => {
    const { operatorsOnly, doorOnly } = (config ?? {}) as FastifyContextConfig
    if (operatorsOnly || doorOnly) return
    const known = patterns.get(url) ?? { parts: url.split('/'), methods: new Set<string>() }
    for (const methods of [method].flat()) known.methods.add(methods)
    patterns.set(url, known)
  })
  return {
    of(path) {
      const parts = path.split('/')
      const fitting = [...patterns.values()].filter((pattern) => fits(pattern.parts, parts))
      return [...new Set(fitting.flatMap(({ methods }) => [...methods]))]
    },
  }
}

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  for (const [at, part] of pattern.entries()) {
    if (part === '*') return parts.length > at
    const given = parts[at]
    if (given === undefined || (part.startsWith(':') ? given === '' : given !== part)) return false
  }
  return pattern.length === parts.length
}
