import { z } from 'zod'
import { ACCOUNT_LIMITS } from '../../domain/account/account.ts'
import { idOut, textOut, timeOut } from '../shapes.ts'

/** The connection of the workspace to Slack. */
export const slackConnection = z
  .strictObject({
    team: z.strictObject({ id: textOut(100), name: textOut(100) }).meta({ description: 'The workspace at Slack.' }),
    scopes: z.array(textOut(60)).max(50).meta({ description: 'What the app may do there.' }),
    connectedAt: timeOut,
    connectedBy: z
      .strictObject({
        kind: z.enum(['api_key', 'person']),
        id: z.union([idOut('key'), idOut('user')]),
        name: textOut(ACCOUNT_LIMITS.name).meta({ description: 'As it was then.' }),
      })
      .meta({ description: 'Who asked to connect.' }),
    brokenAt: timeOut.nullable().meta({
      description:
        'Since when Slack does not take the connection any more; null while it does. Connect again to mend it.',
    }),
  })
  .meta({ id: 'SlackConnection', description: 'The workspace at Slack whose channels can get mentions and events.' })

/** Where somebody connects Slack. */
export const slackConnectAddress = z.strictObject({
  url: textOut(4000).meta({ description: 'To be opened in a browser within ten minutes; good for one connection.' }),
})

/** Channels of the connected team. */
export const slackChannels = z.strictObject({
  data: z
    .array(
      z
        .strictObject({ id: textOut(200), name: textOut(100), isPrivate: z.boolean() })
        .meta({ id: 'SlackChannel', description: 'A channel at Slack.' }),
    )
    .max(4000),
})
