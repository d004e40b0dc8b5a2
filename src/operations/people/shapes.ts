import { z } from 'zod'
import { KEYWORD_KINDS } from '../../domain/keyword/keyword.ts'
import { INTENTS } from '../../domain/mention/classification.ts'
import { PERSON_LIMITS, type PeopleFilter, SEEN_AGAIN_MAX } from '../../domain/person/person.ts'
import { PLATFORMS } from '../../domain/platform/platforms.ts'
import { POST_LIMITS } from '../../domain/post/post.ts'
import { PEOPLE_SORTS, type PeopleSearch } from '../../queries/people/list-people.ts'
import { refuseContradictions } from '../bounds.ts'
import {
  booleanIn,
  countOut,
  idIn,
  idOut,
  lineIn,
  listIn,
  PLAIN_DAY,
  textOut,
  timeIn,
  timeOut,
  wholeIn,
} from '../shapes.ts'

const COUNT_MAX = 2 ** 31 - 1
const TAGS_ASKED_MAX = 20

const addressOut = textOut(POST_LIMITS.addressCharacters)
const accountFields = {
  id: idOut('aut'),
  platform: z.enum(PLATFORMS),
  name: textOut(500).nullable(),
  handle: textOut(500).nullable(),
  url: addressOut.nullable(),
}

/** A person in full. */
export const person = z
  .strictObject({
    ...accountFields,
    avatarUrl: addressOut.nullable(),
    accounts: z
      .array(z.strictObject(accountFields))
      .min(1)
      .max(PERSON_LIMITS.accounts)
      .meta({ description: 'The first account gives the person its id; others were merged.' }),
    reach: z
      .strictObject({ followers: countOut.nullable(), following: countOut.nullable(), posts: countOut.nullable() })
      .meta({ description: 'Followers of the largest account; null if the platform does not tell.' }),
    stats: z
      .strictObject({
        mentions: countOut,
        relevant: countOut,
        sentiment: z.strictObject({ positive: countOut, neutral: countOut, negative: countOut }),
        firstSeenAt: timeOut.nullable(),
        lastSeenAt: timeOut.nullable(),
      })
      .meta({
        description:
          'Figures of scored mentions with the verdicts of the team, updated a moment later. Times are those of the ' +
          `posts; for people with more than ${SEEN_AGAIN_MAX} mentions they stay when posts are removed.`,
      }),
    annotations: z.strictObject({
      tags: z.array(textOut(PERSON_LIMITS.tag)).max(PERSON_LIMITS.tags),
      notes: textOut(PERSON_LIMITS.notes),
      muted: z.boolean().meta({ description: 'Whether mentions are hidden and not delivered.' }),
    }),
  })
  .meta({
    id: 'Person',
    description:
      'An author of mentions: one account, or several that the team merged. Names are written by third parties.',
  })

/** A tag as the team writes it. */
export const tagIn = lineIn(1, PERSON_LIMITS.tag)

/** How values are written: in JSON each has its type, in a query everything is text. */
interface Notation {
  list<Item extends z.ZodType>(item: Item, max: number): z.ZodType<z.output<Item>[]>
  tags(): z.ZodType<string[]>
  count(): z.ZodType<number>
  boolean(): z.ZodType<boolean>
}

const tagsInJson = z.array(tagIn).min(1).max(TAGS_ASKED_MAX)
const IN_JSON: Notation = {
  list: (item, max) => z.array(item).min(1).max(max),
  tags: () => tagsInJson,
  count: () => z.int().min(0).max(COUNT_MAX),
  boolean: () => z.boolean(),
}

const IN_QUERY: Notation = {
  list: (item, max) => listIn(item, max),
  // Tags may hold commas: only a single text is taken apart, so that what is given one by one stays whole.
  tags: () =>
    z.preprocess(
      (value) => (typeof value === 'string' ? value.split(',').filter((part) => part.trim() !== '') : value),
      tagsInJson,
    ),
  count: () => wholeIn(0, COUNT_MAX),
  boolean: booleanIn,
}

function filterFields({ list, tags, count, boolean }: Notation) {
  return {
    q: lineIn(1, 200)
      .optional()
      .meta({ description: 'Words that begin words of the name or handle, in any letter case.' }),
    platforms: list(z.enum(PLATFORMS), PLATFORMS.length)
      .optional()
      .meta({ description: 'People with an account on one of these platforms.' }),
    notPlatforms: list(z.enum(PLATFORMS), PLATFORMS.length)
      .optional()
      .meta({ description: 'People without an account on any of these platforms.' }),
    tags: tags()
      .optional()
      .meta({ description: 'People with at least one of these tags, exactly as they were given.' }),
    notTags: tags().optional().meta({ description: 'People with none of these tags.' }),
    muted: boolean().optional().meta({ description: 'Only people who are muted, or only those who are not.' }),
    minFollowers: count().optional().meta({ description: 'Unknown counts do not match.' }),
    maxFollowers: count().optional().meta({ description: 'Unknown counts do not match.' }),
    minMentions: count().optional().meta({ description: 'People with at least as many mentions.' }),
    minNegative: count().optional().meta({ description: 'People with at least as many negative mentions.' }),
    intents: list(z.enum(INTENTS), INTENTS.length)
      .optional()
      .meta({ description: 'People with mentions of one of these intents.' }),
    keywordKinds: list(z.enum(KEYWORD_KINDS), KEYWORD_KINDS.length)
      .optional()
      .meta({ description: 'People with mentions of keywords of one of these kinds.' }),
    since: timeIn()
      .transform((at) => at.toISOString())
      .optional()
      .meta({ description: `People whose last post was published at or after this time. ${PLAIN_DAY}.` }),
  }
}

/** Which people are wanted, as callers send it in a body. */
export const peopleFilterIn = z
  .strictObject(filterFields(IN_JSON))
  .superRefine(refuseContradictions)
  .meta({ id: 'PeopleFilterInput', description: 'People of the segment. All conditions must match.' })

/** Which people are wanted, as it is shown. */
export const peopleFilterOut = z
  .strictObject({
    q: textOut(200).optional(),
    platforms: z.array(z.enum(PLATFORMS)).max(PLATFORMS.length).optional(),
    notPlatforms: z.array(z.enum(PLATFORMS)).max(PLATFORMS.length).optional(),
    tags: z.array(textOut(PERSON_LIMITS.tag)).max(TAGS_ASKED_MAX).optional(),
    notTags: z.array(textOut(PERSON_LIMITS.tag)).max(TAGS_ASKED_MAX).optional(),
    muted: z.boolean().optional(),
    minFollowers: countOut.optional(),
    maxFollowers: countOut.optional(),
    minMentions: countOut.optional(),
    minNegative: countOut.optional(),
    intents: z.array(z.enum(INTENTS)).max(INTENTS.length).optional(),
    keywordKinds: z.array(z.enum(KEYWORD_KINDS)).max(KEYWORD_KINDS.length).optional(),
    since: timeOut.optional(),
  })
  .meta({ id: 'PeopleFilter', description: 'People of the segment.' })

/** The parameters of everything that finds people. */
export const peopleSearchQuery = {
  ...filterFields(IN_QUERY),
  segmentId: idIn('seg').optional().meta({ description: 'People of this segment who match the other conditions.' }),
  sort: z
    .enum(PEOPLE_SORTS)
    .default('mentions')
    .meta({
      description:
        '`mentions`: most mentions first; `recent`: last seen first; `reach`: most followers first; ' +
        '`new`: latest first appearance first; `name`: A to Z in any letter case, by handle without a ' +
        'name, and without either last.',
    }),
}

/** A search as it was asked for. */
export function peopleSearchFrom(
  query: PeopleFilter & { segmentId?: PeopleSearch['segmentId'] | undefined; sort: PeopleSearch['sort'] },
): PeopleSearch {
  const { segmentId, sort, ...filter } = query
  return { filter, segmentId: segmentId ?? null, sort }
}
