import { z } from 'zod'
import { createInspection } from '../../commands/channels/inspections/create-inspection.ts'
import { INSPECTIONS } from '../../domain/channel/inspection.ts'
import { defineOperation } from '../definition.ts'
import { idOut, lineIn, requestIdIn, textOut, timeOut } from '../shapes.ts'

export const createInspectionOperation = defineOperation({
  id: 'create-inspection',
  method: 'POST',
  path: '/v1/inspections',
  access: 'write',
  summary: 'Create an inspection inbox',
  description:
    'Returns the URL of an inbox for requests of webhook channels, to try a channel without a receiver of your own. ' +
    'The URL is a secret, and no other response returns it. Create a webhook channel with the URL, test the ' +
    'channel, and read what came with GET /v1/inspections/{id}. ' +
    `An inbox ends after 24 hours and accepts ${INSPECTIONS.perMinute} ` +
    `requests a minute. A workspace has at most ${INSPECTIONS.perWorkspace} inboxes; one more replaces the oldest.`,
  tag: 'Channels',
  body: z.strictObject({
    name: lineIn(1, INSPECTIONS.name).meta({ description: 'Name of the inbox.' }),
    requestId: requestIdIn.optional(),
  }),
  status: 201,
  output: z.strictObject({
    id: idOut('insp'),
    name: textOut(INSPECTIONS.name),
    url: textOut(2048).meta({ description: 'URL for a webhook channel. Returned only by this operation.' }),
    createdAt: timeOut,
    expiresAt: timeOut,
  }),
  errors: ['request_conflict'],
  limit: { name: 'inspections', perMinute: 10 },
  tool: { hidden: 'It is for people who try a webhook, and its answer is a secret that would stay with a model.' },
  run: (context, { body }) => createInspection(context, body),
})
