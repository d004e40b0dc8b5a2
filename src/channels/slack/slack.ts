import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Channel, SlackApp } from '../contract.ts'
import { createSlackApi } from './api.ts'
import { createSlackApp } from './app.ts'
import { createSlackSetup } from './config.ts'
import { createSlackSender } from './sender.ts'

export interface SlackOptions {
  clientId: string
  clientSecret: string
  signingSecret: string
  apiUrl: string
  authorizeUrl: string
  publicUrl: string
  clock: Clock
  log: Log
  /** In milliseconds, 10,000 by default. */
  limitMs?: number
}

export interface Slack {
  app: SlackApp
  channel: Channel
}

const REPLY_LIMIT_MS = 10 * SECOND_MS

/** Makes no call before the first use. */
export function createSlack({ limitMs = REPLY_LIMIT_MS, ...options }: SlackOptions): Slack {
  const { apiUrl: url, clock, publicUrl } = options
  const api = createSlackApi({ url, clock, limitMs })
  const sender = createSlackSender({ api, clock, publicUrl })
  const channel: Channel = { kind: 'slack', setup: createSlackSetup(), sender }
  return { app: createSlackApp({ ...options, api }), channel }
}
