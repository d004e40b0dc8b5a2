import { z } from 'zod'
import { ACCOUNT_LIMITS } from '../../domain/account/account.ts'
import { idOut, textOut, timeOut } from '../shapes.ts'

/** The connection of the workspace to Slack. */
export const slackConnection = z
  .strictObject({
    team: z.strictObject({ id: textOut(100), name: textOut(100) }).meta({ description: 'Slack workspace.' }),
    scopes: z.array(textOut(60)).max(50).meta({ description: 'Permissions of the app.' }),
    connectedAt: timeOut,
    connectedBy: z
      .strictObject({
        kind: z.enum(['api_key', 'person']),
        id: z.union([idOut('key'), idOut('user')]),
        name: textOut(ACCOUNT_LIMITS.name).meta({ description: 'Name at the time.' }),
      })
      .meta({ description: 'Who connected it.' }),
    brokenAt: timeOut.nullable().meta({
      description: 'When Slack stopped accepting the connection; null while it works. Connect again to fix it.',
    }),
  })
  .meta({ id: 'SlackConnection', description: 'Slack workspace whose channels can receive mentions and events.' })

/** Where somebody connects Slack. */
export const slackConnectAddress = z.strictObject({
  url: textOut(4000).meta({ description: 'Open it in a browser within ten minutes. Valid for one connection.' }),
})

/** Channels of the connected team. */
export const slackChannels = z.strictObject({
  data: z
    .array(
      z
        .strictObject({ id: textOut(200), name: textOut(100), isPrivate: z.boolean() })
        .meta({ id: 'SlackChannel', description: 'A Slack channel.' }),
    )
    .max(4000),
})
