import { z } from 'zod'

/** `{}` if nothing was found. */
export const gdeltReply = z.union([z.object({ articles: z.array(z.unknown()).max(1000) }), z.strictObject({})])

export const gdeltArticle = z.object({
  url: z.string().min(1),
  title: z.string().min(1),
  /** UTC. */
  seendate: z.string().regex(/^\d{8}T\d{6}Z$/),
  domain: z.string().min(1).max(253),
  socialimage: z.string().nullish().catch(null),
  /** English name. */
  language: z.string().nullish().catch(null),
})

const text = z.union([z.string(), z.object({ '#text': z.string() }).transform((element) => element['#text'])])

const time = text.transform((value, issues) => {
  const ms = value.length <= 64 ? Date.parse(value) : Number.NaN
  if (Number.isNaN(ms)) issues.addIssue({ code: 'custom', message: 'not a time' })
  return new Date(ms)
})

const item = { title: text.pipe(z.string().min(1)), link: text.pipe(z.string().min(1)), pubDate: time }

/** `source` names the publisher and its site. */
export const googleItem = z.object({
  ...item,
  source: z.object({ '#text': z.string(), '@url': z.string().optional() }).optional().catch(undefined),
})

export const bingItem = z.object({
  ...item,
  description: text.optional().catch(undefined),
  'News:Source': text.optional().catch(undefined),
  'News:Image': text.optional().catch(undefined),
})

export type GdeltArticle = z.infer<typeof gdeltArticle>
export type GoogleItem = z.infer<typeof googleItem>
export type BingItem = z.infer<typeof bingItem>
