import { z } from 'zod'
import { DEFAULT_MATCHING, KEYWORD_HEALTHS, KEYWORD_KINDS, KEYWORD_LIMITS } from '../../domain/keyword/keyword.ts'
import {
  PLATFORMS_WITH_COUNTRIES,
  PLATFORMS_WITH_LANGUAGE,
  parseReviewLink,
} from '../../domain/keyword/review-source.ts'
import { PLATFORMS, REVIEW_PLATFORMS, type ReviewPlatform, SEARCH_PLATFORMS } from '../../domain/platform/platforms.ts'
import { groupRef } from '../groups/shapes.ts'
import { clearable, countOut, idIn, idOut, lineIn, textIn, textOut, timeIn, timeOut } from '../shapes.ts'

const cap = z.strictObject({
  mentions: z
    .int()
    .min(1)
    .max(KEYWORD_LIMITS.capMax)
    .meta({ description: 'Matches allowed in a calendar month (UTC), relevant or not.' }),
  welcome: z.boolean().meta({ description: 'True while the welcome credit limits each keyword.' }),
  own: z.int().min(1).max(KEYWORD_LIMITS.capMax).nullable().meta({
    description:
      'Limit that you chose. While the welcome credit limits keywords, it applies again after the first top-up.',
  }),
})

const reviewSource = z
  .strictObject({
    platform: z.enum(REVIEW_PLATFORMS),
    id: textOut(200),
    url: textOut(500),
    countries: z
      .array(
        z
          .string()
          .regex(/^[a-z]{2}$/)
          .max(2),
      )
      .max(KEYWORD_LIMITS.storefronts),
    language: textOut(10).nullable(),
    connectedAt: timeOut,
  })
  .meta({ id: 'ReviewSource', description: 'A review page of a keyword.' })

const matching = z.strictObject({
  requiredTerms: z.array(textOut(KEYWORD_LIMITS.termEntryMax)).max(KEYWORD_LIMITS.terms),
  requiredMode: z.enum(['any', 'all']),
  excludedTerms: z.array(textOut(KEYWORD_LIMITS.termEntryMax)).max(KEYWORD_LIMITS.terms),
  excludedAuthors: z.array(textOut(KEYWORD_LIMITS.authorEntryMax)).max(KEYWORD_LIMITS.authors),
  caseSensitive: z.boolean(),
})

const stats = z.strictObject({
  mentions: countOut.meta({ description: 'All matches, relevant or not. Billing counts these.' }),
  relevant: countOut.meta({ description: 'Matches with a relevance of 40 or more.' }),
  last7d: countOut.meta({ description: 'Matches whose posts are at most seven days old.' }),
  thisMonth: countOut.meta({ description: 'Matches of this calendar month (UTC), compared with the cap.' }),
  lastMentionAt: timeOut.nullable().meta({ description: 'When the latest matched post was published.' }),
  feedback: z.strictObject({ relevant: countOut, notRelevant: countOut }),
  noise: z
    .strictObject({ scored: countOut, relevant: countOut, noisy: z.boolean() })
    .meta({ description: 'Scores of the last 14 days.' }),
  health: z.enum(KEYWORD_HEALTHS),
  cost: z
    .strictObject({
      keywordDays: countOut,
      keywordCents: countOut,
      billableMentions: countOut,
      mentionCents: countOut,
      totalCents: countOut,
    })
    .meta({ description: 'What the keyword cost this month.' }),
})

const polling = z.strictObject({
  platform: z.enum(PLATFORMS),
  lastPolledAt: timeOut.nullable(),
  emptyPolls: countOut.meta({
    description: 'Consecutive polls without new posts; many lower the frequency.',
  }),
})

/** A keyword in full. */
export const keyword = z
  .strictObject({
    id: idOut('kw'),
    term: textOut(KEYWORD_LIMITS.termMax),
    kind: z.enum(KEYWORD_KINDS),
    muted: z.boolean().meta({ description: 'True while the keyword is neither polled nor matched.' }),
    pausedForBalance: z.boolean().meta({ description: 'Muted because the balance ran out.' }),
    pausedForNoise: z.boolean().meta({ description: 'Muted because almost all of its matches were noise.' }),
    pausedForCap: z.boolean().meta({
      description: 'True if the monthly limit is reached. The keyword is not muted and is still charged daily.',
    }),
    cap: cap.nullable().meta({ description: 'Null for no limit.' }),
    group: groupRef,
    platforms: z
      .array(z.enum(SEARCH_PLATFORMS))
      .max(SEARCH_PLATFORMS.length)
      .nullable()
      .meta({ description: 'Null for all; an empty list collects reviews only.' }),
    reviewSources: z.array(reviewSource).max(KEYWORD_LIMITS.reviewSources),
    context: textOut(KEYWORD_LIMITS.contextMax)
      .nullable()
      .meta({ description: 'For the classifier, about this keyword only.' }),
    matching,
    stats,
    polling: z
      .array(polling)
      .max(PLATFORMS.length)
      .meta({ description: 'Scheduled platforms; live feeds are not listed.' }),
    createdAt: timeOut,
  })
  .meta({ id: 'Keyword', description: 'A watched term.' })

// What callers may say of a keyword, when they create and when they change it.

export const termIn = lineIn(KEYWORD_LIMITS.termMin, KEYWORD_LIMITS.termMax).meta({
  description:
    `${KEYWORD_LIMITS.termMin} to ${KEYWORD_LIMITS.termMax} characters after trimming. ` + 'White space is collapsed.',
})
export const kindIn = z.enum(KEYWORD_KINDS)
export const platformsIn = z
  .array(z.enum(SEARCH_PLATFORMS))
  .max(SEARCH_PLATFORMS.length)
  .nullable()
  .meta({ description: 'Null for all. An empty list requires `reviewSources`.' })
export const contextIn = textIn(0, KEYWORD_LIMITS.contextMax)
  .transform((text) => text || null)
  .nullable()
export const capIn = z
  .strictObject({
    mentions: z.int().min(1).max(KEYWORD_LIMITS.capMax).meta({
      description: 'Matches collected in a calendar month (UTC), at most.',
    }),
  })
  .nullable()
  .meta({ description: 'Null for no limit.' })

const entriesIn = (max: number, length: number) => z.array(lineIn(1, length)).max(max)

export const matchingIn = z.strictObject({
  requiredTerms: clearable(entriesIn(KEYWORD_LIMITS.terms, KEYWORD_LIMITS.termEntryMax), []).meta({
    description: 'Terms the post must also contain. Reviews of a connected page need not.',
  }),
  requiredMode: clearable(z.enum(['any', 'all']), DEFAULT_MATCHING.requiredMode).meta({
    description: 'Whether one required term is enough or all are required.',
  }),
  excludedTerms: clearable(entriesIn(KEYWORD_LIMITS.terms, KEYWORD_LIMITS.termEntryMax), []).meta({
    description: 'Posts with one of these terms are dropped. A leading or trailing * is a wildcard.',
  }),
  excludedAuthors: clearable(entriesIn(KEYWORD_LIMITS.authors, KEYWORD_LIMITS.authorEntryMax), []).meta({
    description: 'Profile or post links, @handles, @name@server, u/names, Bluesky DIDs or display names.',
  }),
  caseSensitive: clearable(z.boolean(), DEFAULT_MATCHING.caseSensitive).meta({
    description: 'Whether letter case must match.',
  }),
})

const reviewSourceIn = z
  .strictObject({
    url: lineIn(1, 500)
      .optional()
      .meta({ description: 'Link or short link of a review page. Alternatively give `platform` and `id`.' }),
    platform: z.enum(REVIEW_PLATFORMS).optional(),
    id: lineIn(1, 200).optional(),
    countries: z
      .array(
        z
          .string()
          .regex(/^[A-Za-z]{2}$/)
          .max(2),
      )
      .max(KEYWORD_LIMITS.storefronts)
      .optional()
      .meta({ description: "App stores only, at least one. Default: the link's storefront, else us." }),
    language: lineIn(2, 10)
      .nullable()
      .optional()
      .meta({ description: "Google Play only. Default: the link's language, else en." }),
    connectedAt: timeIn().optional().meta({ description: 'Ignored, so that a page can be sent as it was returned.' }),
  })
  .transform(asNamed)

export const reviewSourcesIn = z
  .array(reviewSourceIn)
  .max(KEYWORD_LIMITS.reviewSources)
  .meta({ description: 'Pages whose reviews are collected.' })

interface ShownOrNamed {
  url?: string | undefined
  platform?: ReviewPlatform | undefined
  id?: string | undefined
  countries?: string[] | undefined
  language?: string | null | undefined
}

/** A review page as it is shown, reduced to what names it: its link says the platform and id once more. */
function asNamed({ url, platform, id, countries, language }: ShownOrNamed, context: z.core.$RefinementCtx) {
  const problem = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message, input: undefined })
  if (countries?.length === 0 && (platform === undefined || PLATFORMS_WITH_COUNTRIES.includes(platform)))
    problem('countries', 'must not be empty')
  if (language === null && (platform === undefined || PLATFORMS_WITH_LANGUAGE.includes(platform)))
    problem('language', 'must be text')
  const page = url === undefined ? null : parseReviewLink(url)
  const saidTwice = page !== null && 'id' in page && page.platform === platform && page.id === id
  return {
    url,
    ...(saidTwice ? {} : { platform, id }),
    countries: countries?.length === 0 ? undefined : countries,
    language: language ?? undefined,
  }
}

/** What is said of a new keyword. */
export const newKeywordIn = {
  term: termIn,
  kind: kindIn.default('brand'),
  groupId: idIn('grp').optional().meta({ description: 'Default: the default group.' }),
  muted: z.boolean().default(false).meta({ description: 'True to collect nothing yet.' }),
  platforms: platformsIn.default(null),
  context: contextIn.default(null).meta({ description: 'For the classifier, about this keyword only.' }),
  matching: matchingIn.optional(),
  cap: capIn.default(null),
  reviewSources: reviewSourcesIn.default([]),
}
