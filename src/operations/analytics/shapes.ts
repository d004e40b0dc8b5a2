import { z } from 'zod'
import { KEYWORD_LIMITS } from '../../domain/keyword/keyword.ts'
import { PLATFORMS } from '../../domain/platform/platforms.ts'
import { POST_LIMITS } from '../../domain/post/post.ts'
import { REVIEW_ROWS_MAX } from '../../queries/analytics/get-reviews.ts'
import { SERIES_MAX } from '../../queries/analytics/get-series.ts'
import { VOICES_MAX } from '../../queries/analytics/get-share-of-voice.ts'
import { DIMENSIONS } from '../../queries/analytics/selected.ts'
import { HOURLY_DAYS_MAX, INTERVALS, WINDOW_DAYS_MAX } from '../../queries/analytics/window.ts'
import { countOut, dayOut, idOut, textOut, timeOut } from '../shapes.ts'

/** A day of a zone that sets its clocks back has 25 hours. */
const BUCKETS_MAX = Math.max(HOURLY_DAYS_MAX * 24 + 1, WINDOW_DAYS_MAX)
export const BREAKDOWN_MAX = 100

const share = z.number().min(0).max(1)
/** No sum comes near it. */
const SUM_MAX = 1e18
const sum = z.number().min(0).max(SUM_MAX)

const window = z
  .strictObject({
    from: dayOut,
    to: dayOut.meta({ description: 'The last day, included.' }),
    days: z.int().min(1).max(WINDOW_DAYS_MAX),
    timezone: textOut(64).meta({ description: 'Whose days these are.' }),
  })
  .meta({ id: 'AnalyticsWindow', description: 'The days in which the counted posts were published.' })

/** The windows of an answer. */
export const windows = {
  window,
  previousWindow: window.nullable().meta({ description: 'As many days right before; null unless compare is true.' }),
}

const figures = {
  mentions: countOut,
  relevant: countOut.meta({ description: 'Relevance 40 or more.' }),
  sentiment: z
    .strictObject({ positive: countOut, neutral: countOut, negative: countOut })
    .meta({ description: 'Mentions without a score have none.' }),
  sentimentShare: z
    .strictObject({ positive: share.nullable(), neutral: share.nullable(), negative: share.nullable() })
    .meta({ description: 'Of the mentions that have a sentiment; null where none has.' }),
  reach: sum.meta({ description: 'The known followers of the authors, added up mention by mention.' }),
  engagement: z
    .number()
    .min(-SUM_MAX)
    .max(SUM_MAX)
    .meta({ description: 'Likes, reposts, replies, quotes, views and bookmarks together, as far as they are known.' }),
}

const totals = z
  .strictObject({
    ...figures,
    unscored: countOut.meta({ description: 'Waiting for a score, or failed to get one.' }),
    people: countOut.meta({ description: 'Different people who wrote them, as far as they can be told.' }),
  })
  .meta({ id: 'AnalyticsTotals', description: 'What the mentions of a window come to.' })

const change = z
  .number()
  .min(-SUM_MAX)
  .max(SUM_MAX)
  .nullable()
  .meta({ description: 'Against the window before: 0.5 is half as many more. Null when there was nothing before.' })

/** The answer of the summary. */
export const summary = z
  .strictObject({
    ...windows,
    current: totals,
    previous: totals.nullable().meta({ description: 'The same of the window before; null unless compare is true.' }),
    change: z
      .strictObject({
        mentions: change,
        relevant: change,
        positive: change,
        negative: change,
        reach: change,
        engagement: change,
        people: change,
      })
      .nullable()
      .meta({ description: 'How the figures changed; null unless compare is true.' }),
    platforms: z
      .array(z.strictObject({ platform: z.enum(PLATFORMS), mentions: countOut, relevant: countOut, share }))
      .max(10)
      .meta({ description: 'Those with most mentions, with their share of all.' }),
  })
  .meta({ id: 'AnalyticsSummary', description: 'Mentions counted over a window of time.' })

const points = {
  mentions: z.array(countOut).max(BUCKETS_MAX).meta({ description: 'One count for each bucket, in their order.' }),
  relevant: z.array(countOut).max(BUCKETS_MAX),
}
const buckets = z
  .array(timeOut)
  .max(BUCKETS_MAX)
  .meta({ description: 'Where each bucket begins. Empty ones are there too.' })
/** Terms and names of groups are no longer than this, and so are the words of lists. */
const label = textOut(KEYWORD_LIMITS.termMax)
const value = {
  key: textOut(40).nullable().meta({
    description:
      'The id of a keyword or group, or the value; null where the value is not known, and for all others together.',
  }),
  label,
}

/** The answer of the series. */
export const series = z
  .strictObject({
    ...windows,
    interval: z.enum(INTERVALS),
    by: z.enum(DIMENSIONS).nullable(),
    buckets,
    totals: z.strictObject(points).meta({ description: 'All mentions.' }),
    series: z
      .array(
        z.strictObject({
          ...value,
          other: z.boolean().meta({ description: 'True for all values together that have no series of their own.' }),
          total: countOut,
          ...points,
        }),
      )
      .max(SERIES_MAX + 1)
      .meta({
        description: `The ${SERIES_MAX} values with most mentions, then the others together; empty without by.`,
      }),
    previous: z
      .strictObject({ buckets, totals: z.strictObject(points) })
      .nullable()
      .meta({ description: 'The window before; null unless compare is true.' }),
  })
  .meta({ id: 'AnalyticsSeries', description: 'Mentions over time.' })

/** The answer of the breakdown. */
export const breakdown = z
  .strictObject({
    ...windows,
    by: z.enum(DIMENSIONS),
    data: z
      .array(
        z.strictObject({
          ...value,
          ...figures,
          share: share.meta({ description: 'Of all mentions of the window.' }),
          previousMentions: countOut
            .nullable()
            .meta({ description: 'In the window before; null unless compare is true.' }),
        }),
      )
      .max(BREAKDOWN_MAX),
    total: countOut.meta({ description: 'How many values there are.' }),
    mentions: countOut.meta({
      description: 'All mentions of the window. A mention with several intents stands in several rows.',
    }),
  })
  .meta({ id: 'AnalyticsBreakdown', description: 'Mentions parted by one of their values, most first.' })

/** The answer of the share of voice. */
export const shareOfVoice = z
  .strictObject({
    ...windows,
    data: z
      .array(
        z.strictObject({
          kind: z.enum(['brand', 'competitor']),
          keyword: z
            .strictObject({ id: idOut('kw'), term: textOut(KEYWORD_LIMITS.termMax) })
            .nullable()
            .meta({ description: 'Null when the rows are kinds.' }),
          ...figures,
          share: share
            .nullable()
            .meta({ description: 'Of all mentions of brands and competitors; null when there are none.' }),
          previousShare: share
            .nullable()
            .meta({ description: 'In the window before; null unless compare is true, and when there were none.' }),
        }),
      )
      .max(VOICES_MAX),
    mentions: countOut.meta({ description: 'All mentions of brands and competitors.' }),
    previousMentions: countOut.nullable(),
  })
  .meta({ id: 'ShareOfVoice', description: 'How much is said of the brand beside its competitors.' })

const stars = {
  reviews: countOut,
  mean: z.number().min(1).max(5).nullable().meta({ description: 'Of the stars; null without reviews.' }),
  stars: z.strictObject({ 1: countOut, 2: countOut, 3: countOut, 4: countOut, 5: countOut }),
}
const starFigures = z
  .strictObject(stars)
  .meta({ id: 'StarFigures', description: 'How many reviews have how many stars.' })
const platform = z.enum(PLATFORMS)

/** The answer of the reviews. */
export const reviews = z
  .strictObject({
    ...windows,
    current: starFigures,
    previous: starFigures.nullable(),
    change: z
      .strictObject({
        reviews: change,
        mean: z
          .number()
          .min(-4)
          .max(4)
          .nullable()
          .meta({ description: 'In stars; null where one of the windows has no reviews.' }),
      })
      .nullable()
      .meta({ description: 'Null unless compare is true.' }),
    apps: z
      .array(
        z.strictObject({
          platform,
          app: z.strictObject({ id: textOut(200), url: textOut(POST_LIMITS.addressCharacters) }).nullable(),
          ...stars,
        }),
      )
      .max(REVIEW_ROWS_MAX)
      .meta({ description: 'Those with most reviews first.' }),
    storefronts: z.array(z.strictObject({ platform, country: textOut(2).nullable(), ...stars })).max(REVIEW_ROWS_MAX),
    versions: z
      .array(z.strictObject({ platform, appId: textOut(200).nullable(), version: textOut(100), ...stars }))
      .max(REVIEW_ROWS_MAX),
  })
  .meta({ id: 'ReviewAnalytics', description: 'The stars of reviews over a window of time.' })
