import { z } from 'zod'
import { KEYWORD_HEALTHS, KEYWORD_KINDS, KEYWORD_LIMITS, KEYWORD_STATUSES } from '../../domain/keyword/keyword.ts'
import { PLATFORMS, PLATFORMS_NAMED_MAX } from '../../domain/platform/platforms.ts'
import { KEYWORD_SORTS, listKeywords } from '../../queries/keywords/list-keywords.ts'
import { defineOperation } from '../definition.ts'
import { externalIdIn } from '../groups/shapes.ts'
import { countedOut, idIn, lineIn, listIn, wholeIn } from '../shapes.ts'
import { keyword } from './shapes.ts'

export const listKeywordsOperation = defineOperation({
  id: 'list-keywords',
  method: 'GET',
  path: '/v1/keywords',
  access: 'read',
  summary: 'List keywords',
  description: 'Returns the keywords with their statistics. `total` is the number before paging.',
  tag: 'Keywords',
  query: {
    q: lineIn(1, 200)
      .optional()
      .meta({
        description:
          'Text in term or context, in any letter case. In terms, forms of a character match too: strasse ' +
          'finds Straße.',
      }),
    term: lineIn(1, 200).optional().meta({
      description: 'Keywords with exactly this term, in any letter case and form of its characters.',
    }),
    health: listIn(z.enum(KEYWORD_HEALTHS), KEYWORD_HEALTHS.length)
      .optional()
      .meta({ description: 'Keywords with one of these values of `stats.health`.' }),
    groupExternalId: externalIdIn
      .optional()
      .meta({ description: 'Keywords of the group with exactly this `externalId`.' }),
    groupId: listIn(idIn('grp'), 50).optional().meta({ description: 'Keywords of these groups.' }),
    kind: listIn(z.enum(KEYWORD_KINDS), 3).optional().meta({ description: 'Keywords of these kinds.' }),
    status: listIn(z.enum(KEYWORD_STATUSES), 4)
      .optional()
      .meta({
        description:
          '`active`: collecting; `muted`: by the caller; `paused`: by the wallet or for noise; `capped`: ' +
          'monthly limit reached.',
      }),
    platform: listIn(z.enum(PLATFORMS), PLATFORMS_NAMED_MAX)
      .optional()
      .meta({ description: 'Keywords that run on one of these platforms.' }),
    sort: z
      .enum(KEYWORD_SORTS)
      .default('newest')
      .meta({
        description:
          '`recent`: most matches in seven days first; `lastMention`: latest match first, keywords without ' +
          'one last.',
      }),
    limit: wholeIn(1, KEYWORD_LIMITS.perWorkspace)
      .optional()
      .meta({ description: 'Number to return. Default: all after `offset`.' }),
    offset: wholeIn(0, Number.MAX_SAFE_INTEGER).default(0).meta({ description: 'Number to skip.' }),
  },
  status: 200,
  output: countedOut(keyword, KEYWORD_LIMITS.perWorkspace),
  errors: [],
  tool: { name: 'list_keywords', title: 'List keywords', destructive: false, idempotent: true },
  run: (context, { query }) =>
    listKeywords(context, {
      q: query.q ?? null,
      term: query.term ?? null,
      healths: query.health ?? null,
      groupExternalId: query.groupExternalId ?? null,
      groupIds: query.groupId ?? null,
      kinds: query.kind ?? null,
      statuses: query.status ?? null,
      platforms: query.platform ?? null,
      sort: query.sort,
      limit: query.limit ?? null,
      offset: query.offset,
    }),
})
