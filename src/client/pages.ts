import { EarshotError } from './errors.ts'

/** Elements per request where the caller of an iterator named no `limit`. */
const PAGE_LIMIT = 100

interface AnyPage {
  data: unknown[]
  nextCursor?: string | null
  total?: number
}

type Input = Readonly<Record<string, unknown>>

/** Yields page after page, from where the input begins. */
export async function* pagesOf(
  by: 'cursor' | 'offset',
  input: Input,
  load: (input: Input) => Promise<unknown>,
): AsyncGenerator<AnyPage> {
  let next: Input | null = { limit: PAGE_LIMIT, ...input }
  while (next !== null) {
    const page = (await load(next)) as AnyPage
    if (!Array.isArray(page?.data)) throw unreadable('The answer is no page of a list.')
    yield page
    next = by === 'cursor' ? afterCursor(next, page) : afterOffset(next, page)
  }
}

function afterCursor(input: Input, { nextCursor }: AnyPage): Input | null {
  if (typeof nextCursor !== 'string') return null
  if (nextCursor === input['cursor']) throw unreadable('The page continues at itself.')
  return { ...input, cursor: nextCursor }
}

function afterOffset(input: Input, { data, total = 0 }: AnyPage): Input | null {
  const offset = Number(input['offset'] ?? 0) + data.length
  return data.length === 0 || offset >= total ? null : { ...input, offset }
}

function unreadable(message: string): EarshotError {
  return new EarshotError('unreadable_answer', message, { status: 200 })
}
