import { z } from 'zod'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { MENTION_SORTS, RANKED_DAYS } from '../../domain/mention/sorts.ts'
import { EXPORT_MAX } from '../../queries/mentions/export-mentions.ts'
import type { MentionSearch } from '../../queries/mentions/search.ts'
import { refuseContradictions } from '../bounds.ts'
import type { EndpointLimit } from '../definition.ts'
import { filtersFromQuery, mentionFilterQuery, viewFilterFields } from '../filter-shapes.ts'
import { booleanIn, idIn, lineIn, listIn, PLAIN_DAY, timeIn, wholeIn } from '../shapes.ts'

/** Mentions that can be asked for one by one. */
const MENTIONS_NAMED_MAX = 200
/** Longest id of an app and longest version, in UTF-16 units. */
const REVIEW_APP_MAX = 200
const REVIEW_VERSION_MAX = 100

/** The parameters that say which mentions are meant; lists, counts, exports, analytics and streams share them. */
export const mentionSearchQuery = {
  ...mentionFilterQuery,
  alertId: idIn('feed').optional().meta({
    description: 'Mentions that this alert rule would send; relevant ones only if it has no `minRelevance`.',
  }),
  viewId: idIn('vw').optional().meta({ description: 'Mentions that this saved view shows.' }),
  personId: idIn('aut')
    .optional()
    .meta({ description: 'Mentions by one person, all merged accounts included, even if the person is muted.' }),
  includeMuted: booleanIn()
    .optional()
    .meta({ description: 'Whether to include mentions by muted people, which are hidden by default.' }),
  assigneeId: idIn('user').optional().meta({ description: 'Mentions assigned to this member.' }),
  snoozed: booleanIn()
    .optional()
    .meta({ description: 'True returns snoozed mentions only, which are hidden by default.' }),
  ids: listIn(idIn('mtn'), MENTIONS_NAMED_MAX)
    .optional()
    .meta({ description: 'These mentions, if they match the other conditions.' }),
  reviewApp: lineIn(1, REVIEW_APP_MAX).optional().meta({ description: 'Reviews of the app with this store id.' }),
  reviewCountry: z
    .string()
    .max(2)
    .regex(/^[A-Za-z]{2}$/, 'must be a country of two letters, such as us')
    .transform((code) => code.toLowerCase())
    .optional()
    .meta({ description: 'Reviews in the storefront of this country (ISO 3166).' }),
  reviewVersion: lineIn(1, REVIEW_VERSION_MAX).optional().meta({ description: 'Reviews of this version of an app.' }),
  createdSince: timeIn()
    .optional()
    .meta({ description: `Matched at this time or later, whenever it was published. ${PLAIN_DAY}.` }),
  createdUntil: timeIn()
    .optional()
    .meta({ description: `Matched before this time. ${PLAIN_DAY}.` }),
  since: timeIn()
    .optional()
    .meta({ description: `Published at this time or later. ${PLAIN_DAY}.` }),
  until: timeIn()
    .optional()
    .meta({ description: `Published before this time. ${PLAIN_DAY}: since=2026-11-01&until=2026-11-02 is one day.` }),
}

const { alertId, viewId, personId, assigneeId, includeMuted, snoozed, createdSince, createdUntil, since, until } =
  mentionSearchQuery
const { reviewApp, reviewCountry, reviewVersion } = mentionSearchQuery

/** The same conditions in JSON, with those of a filter named as in saved views. */
export const mentionSearchBody = z
  .strictObject({
    ...viewFilterFields,
    alertId,
    viewId,
    personId,
    assigneeId,
    includeMuted: z.boolean().optional().meta({ description: includeMuted.description }),
    snoozed: z.boolean().optional().meta({ description: snoozed.description }),
    reviewApp,
    reviewCountry,
    reviewVersion,
    createdSince,
    createdUntil,
    since,
    until,
  })
  .superRefine(refuseContradictions)
  .meta({
    id: 'MentionSearchInput',
    description:
      'Conditions of the list of mentions, named as in the filter of a saved view. All must hold. Snoozed mentions ' +
      'and mentions by muted people are left out unless the conditions ask for them.',
  })

/** All exports of mentions, in whichever form, count together. */
export const EXPORT_LIMIT: EndpointLimit = { name: 'exports', perMinute: 6 }

/** What an export holds of the mentions that are meant, and in which order. */
export const exportQuery = {
  sort: z
    .enum(MENTION_SORTS)
    .default('newest')
    .meta({
      description:
        `Same as in the list: \`priority\` and \`engagement\` include posts of the last ${RANKED_DAYS} days. ` +
        '`oldest` includes every mention that exists.',
    }),
  limit: wholeIn(1, EXPORT_MAX).default(EXPORT_MAX).meta({ description: 'Largest number of mentions.' }),
}

/** The search that the parameters ask for. Other parameters may stand beside them. */
export function searchFrom(query: z.output<z.ZodObject<typeof mentionSearchQuery>>): MentionSearch {
  return { ...conditionsFrom(query), filters: filtersFromQuery(query), ids: query.ids ?? null }
}

/** The search that a body asks for. */
export function searchFromBody({
  alertId,
  viewId,
  personId,
  assigneeId,
  includeMuted,
  snoozed,
  createdSince,
  createdUntil,
  since,
  until,
  reviewApp,
  reviewCountry,
  reviewVersion,
  ...filter
}: z.output<typeof mentionSearchBody>): MentionSearch {
  const conditions = { alertId, viewId, personId, assigneeId, includeMuted, snoozed, createdSince, createdUntil }
  const review = { reviewApp, reviewCountry, reviewVersion }
  const asked = { ...conditions, ...review, since, until }
  return { ...conditionsFrom(asked), filters: [filter as MentionFilter], ids: null }
}

type Conditions = Omit<MentionSearch, 'filters' | 'ids' | 'containing' | 'writtenBy' | 'review'>

type Asked = { [Name in keyof Conditions]?: Conditions[Name] | undefined } & {
  [Name in 'reviewApp' | 'reviewCountry' | 'reviewVersion']?: string | undefined
}

function conditionsFrom({ reviewApp: app, reviewCountry: country, reviewVersion: version, ...asked }: Asked) {
  const asksReview = [app, country, version].some((value) => value !== undefined)
  return {
    ...(asksReview && { review: { app: app ?? null, country: country ?? null, version: version ?? null } }),
    alertId: asked.alertId ?? null,
    viewId: asked.viewId ?? null,
    personId: asked.personId ?? null,
    includeMuted: asked.includeMuted ?? false,
    assigneeId: asked.assigneeId ?? null,
    snoozed: asked.snoozed ?? false,
    since: asked.since ?? null,
    until: asked.until ?? null,
    createdSince: asked.createdSince ?? null,
    createdUntil: asked.createdUntil ?? null,
  }
}
