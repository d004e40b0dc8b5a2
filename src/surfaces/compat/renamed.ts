import { isRefusal, type Refusal, refuseFields } from '../../domain/refusal/refusal.ts'

/** The refusal of a command, with its fields named as the caller wrote them. The longest beginning counts. */
export function renamed<Result>(result: Result, names: Readonly<Record<string, string>>): Result | Refusal {
  if (!isRefusal(result) || result.details === undefined) return result
  const [first, ...others] = result.details.map(({ field, reason }) => ({ field: nameOf(field, names), reason }))
  return first === undefined ? result : refuseFields([first, ...others])
}

function nameOf(field: string, names: Readonly<Record<string, string>>): string {
  const found = Object.keys(names)
    .filter((name) => field === name || field.startsWith(`${name}.`))
    .sort((a, b) => b.length - a.length)[0]
  return found === undefined ? field : names[found]!
}
