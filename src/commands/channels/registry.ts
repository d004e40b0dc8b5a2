import type { AroundSendings } from '../around-sending.ts'
import { type AroundEmailOptions, createAroundEmail } from './email/around-email.ts'
import { createAroundSlack } from './slack/around-slack.ts'
import { createAroundTelegram } from './telegram/around-telegram.ts'

export interface AroundSendingsOptions extends AroundEmailOptions {}

export function createAroundSendings(options: AroundSendingsOptions): AroundSendings {
  return {
    slack: createAroundSlack(options),
    email: createAroundEmail(options),
    telegram: createAroundTelegram(options),
  }
}
