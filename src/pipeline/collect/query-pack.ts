import type { DueQuery } from '../../store/source/source-queries.ts'
import type { PolledSource } from './polled-source.ts'

export function candidatesOf(source: PolledSource): number {
  return source.mode === 'page' ? 8 : Math.max(8, 2 * source.searching.termsPerSearch)
}

/**
 * The longest due query and others with the same look-back that fit one request. Each failure halves a query's company,
 * since it may be the cause or return too much.
 */
export function firstPack(source: PolledSource, due: readonly DueQuery[]): readonly DueQuery[] {
  const [first, ...others] = due
  if (first === undefined) return []
  if (source.mode === 'page') return [first]
  const { termsPerSearch, fits } = source.searching
  const most = ({ failures }: DueQuery) => Math.max(1, Math.floor(termsPerSearch / 2 ** Math.min(failures, 10)))
  const pack = [first]
  let room = most(first)
  for (const query of others) {
    if (pack.length >= room) break
    if (query.lookBack !== first.lookBack || most(query) <= pack.length) continue
    const terms = [...pack, query].map(({ term }) => term ?? '')
    if (!(fits?.(terms) ?? true)) continue
    pack.push(query)
    room = Math.min(room, most(query))
  }
  return pack
}
