import { z } from 'zod'
import { SUPPRESSION_REASONS } from '../../domain/channel/suppression.ts'
import { listSuppressions } from '../../queries/channels/list-suppressions.ts'
import { defineOperation } from '../definition.ts'
import { idOut, pageIn, pageOut, textOut, timeOut } from '../shapes.ts'

const suppression = z
  .strictObject({
    id: idOut('sup'),
    email: textOut(254).meta({ description: 'The address, in lower case.' }),
    reason: z.enum(SUPPRESSION_REASONS).meta({
      description: '`bounce`: a mail server refused the address for good. `complaint`: a mail was reported as spam.',
    }),
    createdAt: timeOut,
  })
  .meta({ id: 'Suppression', description: 'An address that channels do not write to.' })

export const listSuppressionsOperation = defineOperation({
  id: 'list-suppressions',
  method: 'GET',
  path: '/v1/suppressions',
  access: 'read',
  summary: 'List suppressed recipients',
  description:
    'Returns the recipients of e-mail channels whose address bounced or reported spam, newest first. Channels do not ' +
    'write to them, also where a mail of another workspace bounced.',
  tag: 'Channels',
  query: pageIn,
  status: 200,
  output: pageOut(suppression).meta({ id: 'SuppressionPage', description: 'A page of suppressed recipients.' }),
  errors: ['invalid_cursor'],
  tool: { name: 'list_suppressions', title: 'List suppressed recipients', destructive: false, idempotent: true },
  run: (context, { query: { limit, cursor } }) => listSuppressions(context, { limit, cursor: cursor ?? null }),
})
