import { z } from 'zod'
import type { Outgoing } from '../../domain/delivery/envelope.ts'
import { type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import type { Clock } from '../../kernel/clock.ts'
import { hashOf } from '../../kernel/secrets.ts'
import { cleanText, truncateBytes } from '../../kernel/text.ts'
import { type Sender, type SendResult, type ShownRequest, type SlackLearned, STOPPED } from '../contract.ts'
import { EXCERPT_BYTES } from '../http-attempt.ts'
import type { SlackApi } from './api.ts'
import { isBusy, isTokenWorthless, outcomeOfCall } from './outcome.ts'
import { messageOf, type SlackText } from './render.ts'

export interface SlackConfig {
  channelId: string
  token: string
}

export interface SlackRequest extends SlackText {
  channelId: string
  token: string
}

const stored = z.object({ channelId: z.string(), secret: z.string().optional() })

export interface SlackSenderOptions {
  api: SlackApi
  clock: Clock
  publicUrl: string
}

export function createSlackSender({ api, clock, publicUrl }: SlackSenderOptions): Sender<SlackConfig, SlackRequest> {
  return {
    readConfig,
    render: (outgoing: Outgoing, { channelId, token }) => ({ channelId, token, ...messageOf(outgoing, publicUrl) }),
    shown,
    async send(request, signal): Promise<SendResult> {
      if (signal.aborted) {
        const learned: SlackLearned = { worthlessToken: null, isBusy: false }
        return {
          outcome: 'temporary',
          reason: STOPPED,
          retryAfterSeconds: null,
          status: null,
          durationMs: 0,
          replyExcerpt: null,
          learned,
        }
      }
      const startMs = clock.monotonicMs()
      const call = await api.call('chat.postMessage', parametersOf(request), { token: request.token, signal })
      const learned: SlackLearned = {
        worthlessToken: isTokenWorthless(call) ? hashOf(request.token) : null,
        isBusy: isBusy(call),
      }
      return {
        ...outcomeOfCall(call, clock.now()),
        durationMs: Math.round(clock.monotonicMs() - startMs),
        replyExcerpt:
          'failed' in call.reply
            ? null
            : truncateBytes(cleanText(call.reply.excerpt.toString('utf8', 0, EXCERPT_BYTES)), EXCERPT_BYTES),
        learned,
      }
    },
  }
}

function readConfig(given: unknown): SlackConfig | Refusal<'validation_error'> {
  const parsed = stored.safeParse(given)
  if (!parsed.success) return refuseField('config', 'cannot be read')
  const { channelId, secret } = parsed.data
  return secret === undefined
    ? refuse('validation_error', 'Slack is no longer connected to the workspace')
    : { channelId, token: secret }
}

/** Disables automatic links, mentions and previews. */
function parametersOf({ channelId, text, blocks }: SlackRequest): Record<string, unknown> {
  return {
    channel: channelId,
    text,
    blocks,
    parse: 'none',
    link_names: false,
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
  }
}

function shown(request: SlackRequest): ShownRequest {
  return {
    headers: { Authorization: 'Bearer (hidden)', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: JSON.stringify(parametersOf(request)),
  }
}
