import { z } from 'zod'

export interface StoreReview {
  id: string
  updated: Date
  rating: number
  title: string
  text: string
  version: string | null
  /** Readers who found the review helpful minus those who did not. */
  votes: number | null
  author: { name: string | null; url: string | null }
  /** Undefined where the form does not carry answers. */
  response: { text: string; at: Date | null } | null | undefined
}

/** A page has 50 reviews and the app, the list has 100. */
const MOST_ENTRIES = 200

const id = z.string().regex(/^\d{1,20}$/)
const time = z
  .string()
  .max(40)
  .transform((text) => new Date(text))
  .refine((date) => !Number.isNaN(date.getTime()), 'no time')
const stars = z
  .string()
  .regex(/^[1-5]$/)
  .transform(Number)

/** A text, or an object if the element has attributes. */
const element = z.union([z.string(), z.object({ '#text': z.string().default('') }).transform((item) => item['#text'])])

export const xmlFeed = z.object({ feed: z.object({ entry: z.array(z.unknown()).max(MOST_ENTRIES).default([]) }) })

export const xmlEntry = z
  .object({
    id: element.pipe(id),
    updated: element.pipe(time),
    'im:rating': element.pipe(stars),
    title: element.default(''),
    content: z
      .array(z.union([z.string(), z.object({ '#text': z.string().default(''), '@type': z.string().default('text') })]))
      .transform(
        (all) =>
          all
            .map((item) => (typeof item === 'string' ? { '#text': item, '@type': 'text' } : item))
            .find((item) => item['@type'] === 'text')?.['#text'],
      )
      .pipe(z.string()),
    'im:version': element.nullish(),
    'im:voteSum': element.nullish(),
    author: z.object({ name: element.nullish(), uri: element.nullish() }).nullish(),
  })
  .transform(fromEntry)

const label = z.object({ label: z.string() }).transform((item) => item.label)

/** `entry` is absent without reviews, and a single entry is not in a list. */
export const jsonFeed = z.object({
  feed: z.object({
    entry: z
      .union([z.array(z.unknown()).max(MOST_ENTRIES), z.record(z.string(), z.unknown()).transform((item) => [item])])
      .default([]),
  }),
})

export const jsonEntry = z
  .object({
    id: label.pipe(id),
    updated: label.pipe(time),
    'im:rating': label.pipe(stars),
    title: label,
    content: label,
    'im:version': label.nullish(),
    'im:voteSum': label.nullish(),
    author: z.object({ name: label.nullish(), uri: label.nullish() }).nullish(),
  })
  .transform(fromEntry)

export const rowList = z.object({ userReviewList: z.array(z.unknown()).max(MOST_ENTRIES) })

/** Has the developer's answer, not the app's version. */
export const rowEntry = z
  .object({
    userReviewId: z.union([z.string(), z.int().transform(String)]).pipe(id),
    date: time,
    rating: z.int().min(1).max(5),
    title: z.string().default(''),
    body: z.string(),
    name: z.string().nullish(),
    viewUsersUserReviewsUrl: z.string().nullish(),
    voteSum: z.number().nullish(),
    developerResponse: z.object({ body: z.string(), modified: time.nullish() }).nullish(),
  })
  .transform(
    (entry): StoreReview => ({
      id: entry.userReviewId,
      updated: entry.date,
      rating: entry.rating,
      title: entry.title,
      text: entry.body,
      version: null,
      votes: entry.voteSum ?? null,
      author: { name: entry.name ?? null, url: entry.viewUsersUserReviewsUrl ?? null },
      response: entry.developerResponse
        ? { text: entry.developerResponse.body, at: entry.developerResponse.modified ?? null }
        : null,
    }),
  )

/** 0 if the store does not sell the app in that storefront. */
export const lookupReply = z.object({ resultCount: z.int().nonnegative() })

interface FeedEntry {
  id: string
  updated: Date
  'im:rating': number
  title: string
  content: string
  'im:version'?: string | null | undefined
  'im:voteSum'?: string | null | undefined
  author?: { name?: string | null | undefined; uri?: string | null | undefined } | null | undefined
}

function fromEntry(entry: FeedEntry): StoreReview {
  return {
    id: entry.id,
    updated: entry.updated,
    rating: entry['im:rating'],
    title: entry.title,
    text: entry.content,
    version: entry['im:version'] ?? null,
    votes: countFrom(entry['im:voteSum']),
    author: { name: entry.author?.name ?? null, url: entry.author?.uri ?? null },
    response: undefined,
  }
}

function countFrom(text: string | null | undefined): number | null {
  return text != null && /^\d{1,15}$/.test(text) ? Number(text) : null
}
