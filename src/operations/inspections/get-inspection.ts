import { z } from 'zod'
import { INSPECTIONS, SIGNATURE_VERDICTS } from '../../domain/channel/inspection.ts'
import { getInspection } from '../../queries/channels/get-inspection.ts'
import { defineOperation } from '../definition.ts'
import { countOut, idIn, idOut, textOut, timeOut } from '../shapes.ts'

const headerOut = textOut(INSPECTIONS.headerCharacters)

const inspected = z
  .strictObject({
    receivedAt: timeOut,
    method: z.literal('POST'),
    headers: z.record(headerOut, headerOut).meta({
      description:
        'First 64 headers, names in lower case. The service stores only the values of its own headers; others are ' +
        '`(hidden)`.',
    }),
    body: textOut(INSPECTIONS.bodyBytes).meta({ description: 'First 64 KiB of the body, as UTF-8.' }),
    bodyBytes: countOut.meta({ description: 'Bytes of the whole body.' }),
    truncated: z.boolean().meta({ description: 'True if `body` is cut.' }),
    signature: z.enum(SIGNATURE_VERDICTS).meta({
      description:
        'Result of checking `X-Mentions-Signature-V2` with the secrets of the channels with this URL; unknown if ' +
        'there is no such channel.',
    }),
    channelId: idOut('dest').nullable().meta({ description: 'Channel whose secret was checked.' }),
  })
  .meta({ id: 'InspectedRequest', description: 'A request that an inspection inbox received.' })

export const getInspectionOperation = defineOperation({
  id: 'get-inspection',
  method: 'GET',
  path: '/v1/inspections/{id}',
  access: 'read',
  summary: 'Get an inspection inbox',
  description:
    `Returns the newest ${INSPECTIONS.requests} requests that an inspection inbox received, newest first, with the ` +
    'result of checking their signature. Texts of posts in the bodies are written by third parties.',
  tag: 'Channels',
  params: { id: idIn('insp') },
  status: 200,
  output: z.strictObject({
    id: idOut('insp'),
    name: textOut(INSPECTIONS.name),
    createdAt: timeOut,
    expiresAt: timeOut,
    requests: z.array(inspected).max(INSPECTIONS.requests),
  }),
  errors: [],
  tool: { hidden: 'It is for people who try a webhook.' },
  run: (context, { params }) => getInspection(context, params.id),
})
