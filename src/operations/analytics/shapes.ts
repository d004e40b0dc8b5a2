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
    to: dayOut.meta({ description: 'Last day, included.' }),
    days: z.int().min(1).max(WINDOW_DAYS_MAX),
    timezone: textOut(64).meta({ description: 'Time zone of the days.' }),
    since: timeOut.meta({ description: 'Start of the first day. With `until`, it lists the counted mentions.' }),
    until: timeOut.meta({ description: 'End of the last day, not included.' }),
  })
  .meta({ id: 'AnalyticsWindow', description: 'Days of publication of the counted posts.' })

/** The windows of an answer. */
export const windows = {
  window,
  previousWindow: window
    .nullable()
    .meta({ description: 'The preceding window of equal length; null unless `compare` is true.' }),
}

const figures = {
  mentions: countOut,
  relevant: countOut.meta({ description: 'Relevance of 40 or more.' }),
  sentiment: z
    .strictObject({ positive: countOut, neutral: countOut, negative: countOut })
    .meta({ description: 'Unscored mentions have none.' }),
  sentimentShare: z
    .strictObject({ positive: share.nullable(), neutral: share.nullable(), negative: share.nullable() })
    .meta({ description: 'Share of mentions with a sentiment; null if none has one.' }),
  reach: sum.meta({ description: 'Sum of the known followers of the author of each mention.' }),
  engagement: z
    .number()
    .min(-SUM_MAX)
    .max(SUM_MAX)
    .meta({ description: 'Sum of the known likes, reposts, replies, quotes, views and bookmarks.' }),
}

const totals = z
  .strictObject({
    ...figures,
    unscored: countOut.meta({ description: 'Mentions that wait for a score, and mentions whose scoring failed.' }),
    people: countOut.meta({ description: 'Number of distinct authors, as far as known.' }),
  })
  .meta({ id: 'AnalyticsTotals', description: 'Figures of the mentions of a window.' })

const change = z
  .number()
  .min(-SUM_MAX)
  .max(SUM_MAX)
  .nullable()
  .meta({ description: 'Change against the preceding window: 0.5 means 50 % more. Null if that window has none.' })

/** The answer of the summary. */
export const summary = z
  .strictObject({
    ...windows,
    current: totals,
    previous: totals
      .nullable()
      .meta({ description: 'Figures of the preceding window; null unless `compare` is true.' }),
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
      .meta({ description: 'Change of each figure; null unless `compare` is true.' }),
    platforms: z
      .array(z.strictObject({ platform: z.enum(PLATFORMS), mentions: countOut, relevant: countOut, share }))
      .max(10)
      .meta({ description: 'Largest first, with the share of all mentions.' }),
  })
  .meta({ id: 'AnalyticsSummary', description: 'Figures of mentions over a time window.' })

const points = {
  mentions: z.array(countOut).max(BUCKETS_MAX).meta({ description: 'One count for each bucket, in order.' }),
  relevant: z.array(countOut).max(BUCKETS_MAX),
}
const buckets = z.array(timeOut).max(BUCKETS_MAX).meta({ description: 'Start of each bucket, empty buckets included.' })
/** Terms and names of groups are no longer than this, and so are the words of lists. */
const label = textOut(KEYWORD_LIMITS.termMax)
const value = {
  key: textOut(40).nullable().meta({
    description: 'Id of the keyword or group, or the value. Null for unknown values, and for the series of all others.',
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
          other: z.boolean().meta({ description: 'True for the series that sums all values without one.' }),
          total: countOut,
          ...points,
        }),
      )
      .max(SERIES_MAX + 1)
      .meta({
        description: `The ${SERIES_MAX} values with most mentions, then all others together; empty without \`by\`.`,
      }),
    previous: z
      .strictObject({ buckets, totals: z.strictObject(points) })
      .nullable()
      .meta({ description: 'The preceding window; null unless `compare` is true.' }),
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
          share: share.meta({ description: 'Share of all mentions of the window.' }),
          previousMentions: countOut
            .nullable()
            .meta({ description: 'Count in the preceding window; null unless `compare` is true.' }),
        }),
      )
      .max(BREAKDOWN_MAX),
    total: countOut.meta({ description: 'Number of values.' }),
    mentions: countOut.meta({
      description: 'All mentions of the window. A mention with several intents is in several rows.',
    }),
  })
  .meta({ id: 'AnalyticsBreakdown', description: 'Mentions by one dimension, largest first.' })

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
            .meta({ description: 'Null if the rows are kinds.' }),
          ...figures,
          share: share
            .nullable()
            .meta({ description: 'Share of all mentions of brands and competitors; null if there are none.' }),
          previousShare: share.nullable().meta({
            description: 'Share in the preceding window; null unless `compare` is true and that window has mentions.',
          }),
        }),
      )
      .max(VOICES_MAX),
    mentions: countOut.meta({ description: 'All mentions of brands and competitors.' }),
    previousMentions: countOut.nullable(),
  })
  .meta({ id: 'ShareOfVoice', description: 'Share of voice of brands and competitors.' })

const stars = {
  reviews: countOut,
  mean: z.number().min(1).max(5).nullable().meta({ description: 'Mean number of stars; null without reviews.' }),
  stars: z.strictObject({ 1: countOut, 2: countOut, 3: countOut, 4: countOut, 5: countOut }),
}
const starFigures = z
  .strictObject(stars)
  .meta({ id: 'StarFigures', description: 'Number of reviews for each number of stars.' })
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
          .meta({ description: 'Change in stars; null if one of the windows has no reviews.' }),
      })
      .nullable()
      .meta({ description: 'Null unless `compare` is true.' }),
    apps: z
      .array(
        z.strictObject({
          platform,
          app: z.strictObject({ id: textOut(200), url: textOut(POST_LIMITS.addressCharacters) }).nullable(),
          ...stars,
        }),
      )
      .max(REVIEW_ROWS_MAX)
      .meta({ description: 'Largest number of reviews first.' }),
    storefronts: z.array(z.strictObject({ platform, country: textOut(2).nullable(), ...stars })).max(REVIEW_ROWS_MAX),
    versions: z
      .array(z.strictObject({ platform, appId: textOut(200).nullable(), version: textOut(100), ...stars }))
      .max(REVIEW_ROWS_MAX),
  })
  .meta({ id: 'ReviewAnalytics', description: 'Star ratings over a time window.' })
