import { z } from 'zod'
import { exitCodeFor } from '../../cli/index.ts'
import { stop } from '../listen/following.ts'
import { type JsonClient, problemOf } from './json-client.ts'

const text = z.string().nullish()

const keyword = z.looseObject({
  id: z.number(),
  keyword: z.string(),
  context: text,
  additionalTerms: text,
  additionalTermsAndOr: z.boolean().nullish(),
  caseSensitive: z.boolean().nullish(),
  symbolSensitive: z.boolean().nullish(),
  platforms: z.array(z.string()).nullish(),
  excludeWords: text,
  wildcardExcludeWords: text,
  excludeAuthors: text,
  tag: text,
  paused: z.boolean().nullish(),
  isSubReddit: z.boolean().nullish(),
})

const feed = z.looseObject({
  id: z.number(),
  name: z.string(),
  icon: text,
  simpleFilters: z.unknown(),
  advancedFilters: z.unknown(),
  destinations: z.array(z.looseObject({ type: text, frequency: text, deliveryMode: text })).nullish(),
})

const list = z.array(z.string()).nullish()
const filters = z.looseObject({
  negativeKeywords: list,
  negativeAuthors: list,
  negativeSubreddits: list,
  positiveSubreddits: list,
  negativeRepos: list,
})

/** A workspace as the v2 interface shows it, theirs and ours. */
export interface ShownWorkspace {
  keywords: z.output<typeof keyword>[]
  feeds: z.output<typeof feed>[]
  filters: z.output<typeof filters>
  company: Record<string, unknown>
}

export type ShownKeyword = ShownWorkspace['keywords'][number]
export type ShownFeed = ShownWorkspace['feeds'][number]

/** Pages of a list; more are a fault of the other side. */
const PAGES_MAX = 100

export async function readWorkspace(client: JsonClient, whose: string): Promise<ShownWorkspace> {
  return {
    keywords: await readList(client, whose, '/keywords', keyword),
    feeds: await readList(client, whose, '/feeds', feed),
    filters: read(filters, await get(client, whose, '/filters/global'), whose),
    company: read(z.looseObject({}), await get(client, whose, '/org/company'), whose),
  }
}

async function readList<Item extends z.ZodType>(
  client: JsonClient,
  whose: string,
  path: string,
  item: Item,
): Promise<z.output<Item>[]> {
  const page = z.looseObject({ data: z.array(item), pagination: z.looseObject({ nextCursor: text }).nullish() })
  const all: z.output<Item>[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const query: string = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`
    const { data, pagination } = read(page, await get(client, whose, `${path}${query}`), whose)
    all.push(...data)
    cursor = pagination?.nextCursor ?? null
    if (cursor === null) return all
  }
  return stop(`${whose}: ${path} has no end.`)
}

async function get(client: JsonClient, whose: string, path: string): Promise<unknown> {
  const answer = await client.ask('GET', path)
  if (answer.status === 200) return answer.body
  return stop(`${whose}: GET ${path} was refused. ${problemOf(answer)}`, exitCodeFor(answer.status))
}

function read<Schema extends z.ZodType>(schema: Schema, body: unknown, whose: string): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  return stop(`${whose} has another form than documented, at ${path.map(String).join('.')}: ${message}`)
}
