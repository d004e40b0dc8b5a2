import { z } from 'zod'
import { ACCOUNT_EVENTS, ATTENTION_EVENTS } from '../../domain/attention/account-events.ts'
import { CHANNEL_KINDS } from '../../domain/channel/channel-kind.ts'
import { countOut, idOut, lineIn, textOut, timeOut } from '../shapes.ts'

/** Limits of a webhook channel. The channel itself checks them again, header by header. */
const URL_MAX = 2048
const LABEL_MAX = 100
const HEADERS_MAX = 20
const HEADER_NAME_MAX = 100
const HEADER_VALUE_MAX = 1024

const eventsOut = z
  .array(z.enum(ACCOUNT_EVENTS))
  .max(ACCOUNT_EVENTS.length)
  .meta({ description: 'Account events the channel receives.' })

const webhookConfig = z
  .strictObject({
    // In its normal form, in which a character outside ASCII takes nine.
    url: textOut(9 * URL_MAX),
    headers: z.record(textOut(HEADER_NAME_MAX), textOut(HEADER_VALUE_MAX)).meta({
      description:
        'Headers of every request, names in lower case. Read-only credentials and tools see `(hidden)` ' +
        'instead of values; sending `(hidden)` in an update keeps the value.',
    }),
    events: eventsOut,
    secret: textOut(200)
      .optional()
      .meta({
        description:
          'Signing secret. Returned only when it is created, and never to tools: rotate it over REST or in ' +
          'the dashboard.',
      }),
  })
  .meta({ id: 'WebhookConfig', description: "A webhook's destination." })

const slackConfig = z
  .strictObject({ channelId: textOut(100), channelName: textOut(100), events: eventsOut })
  .meta({ id: 'SlackConfig', description: 'A channel of the connected Slack workspace.' })

const telegramConfig = z
  .strictObject({
    chatId: textOut(40).nullable().meta({ description: 'Null before a chat is connected.' }),
    chatType: textOut(40).nullable().meta({ description: '`private`, `group`, `supergroup` or `channel`.' }),
    events: eventsOut,
    connectUrl: textOut(500).optional().meta({ description: 'Link that connects a chat, valid for 15 minutes.' }),
  })
  .meta({ id: 'TelegramConfig', description: 'A chat with the bot of this installation.' })

const emailConfig = z
  .strictObject({
    recipients: z
      .array(
        z.strictObject({
          email: textOut(254),
          confirmedAt: timeOut.nullable().meta({
            description: 'Null until the address is confirmed. Members of the workspace need no confirmation.',
          }),
        }),
      )
      .max(20),
    events: eventsOut,
  })
  .meta({ id: 'EmailConfig', description: 'Recipients of the mail.' })

/** A channel in full. */
export const channel = z
  .strictObject({
    id: idOut('dest'),
    label: textOut(LABEL_MAX),
    kind: z.enum(CHANNEL_KINDS),
    enabled: z.boolean(),
    createdAt: timeOut,
    stats: z.strictObject({
      alerts: countOut.meta({ description: 'Number of rules with this channel.' }),
      activeAlerts: countOut.meta({ description: 'Number of enabled rules with this channel.' }),
      lastDeliveryAt: timeOut.nullable().meta({ description: 'When a delivery was last accepted.' }),
      last7d: z
        .strictObject({ total: countOut, failed: countOut })
        .meta({ description: 'Deliveries in the last seven days.' }),
    }),
    config: z
      .union([webhookConfig, slackConfig, telegramConfig, emailConfig])
      .meta({ description: 'Settings of the kind of channel.' }),
  })
  .meta({ id: 'Channel', description: 'A destination for mentions and events.' })

/** What became of a test. */
export const testOutcomes = z
  .strictObject({
    outcomes: z
      .array(
        z.strictObject({
          channelId: idOut('dest'),
          ok: z.boolean(),
          error: textOut(1000).nullable().meta({ description: 'Why the attempt failed; null if it succeeded.' }),
        }),
      )
      .max(100),
  })
  .meta({ id: 'TestOutcomes', description: 'Outcome of a test for each channel.' })

/** Tests of channels and of rules share one count. */
export const TEST_LIMIT = { name: 'tests', perMinute: 10 } as const

// What callers may say of a webhook channel, when they create and when they change it.

export const urlIn = z.string().min(1).max(URL_MAX).meta({ description: 'Public `https` address.' })
export const labelIn = lineIn(1, LABEL_MAX)
export const headersIn = z
  .preprocess(
    withoutPrototype,
    z
      .record(z.string().meta({ maxLength: HEADER_NAME_MAX }), z.string().meta({ maxLength: HEADER_VALUE_MAX }))
      .refine((headers) => Object.keys(headers).length <= HEADERS_MAX, `must have at most ${HEADERS_MAX} entries`)
      .meta({ maxProperties: HEADERS_MAX }),
  )
  .meta({
    description:
      `At most ${HEADERS_MAX} headers. Names have letters, digits and hyphens; values have up to ` +
      `${HEADER_VALUE_MAX} printable ASCII characters.`,
  })

/** Records pass over a member named __proto__, which would then be dropped in silence. */
function withoutPrototype(value: unknown, context: z.core.$RefinementCtx): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__'))
    context.addIssue({
      code: 'custom',
      path: ['__proto__'],
      message: 'must have a name of letters, digits and hyphens',
      input: value,
    })
  return value
}

export const emailsIn = z.array(z.email().max(254)).min(1).max(20)

export const accountEventsIn = z
  .array(z.enum(ACCOUNT_EVENTS))
  .max(20)
  .meta({ description: 'Account events the channel receives.' })
export const attentionEventsIn = z
  .array(z.enum(ATTENTION_EVENTS))
  .max(20)
  .meta({ description: 'Attention events; chats and e-mail receive no others.' })
