import { api, dataOf, type Schema } from './client.ts'

export type SlackChannel = Schema<'SlackChannel'>

export function getSlack(signal: AbortSignal): Promise<Schema<'SlackConnection'>> {
  return dataOf(api.GET('/v1/slack', { signal }))
}

export function connectSlack(): Promise<Schema<'ConnectSlackAnswer'>> {
  return dataOf(api.POST('/v1/slack/connect'))
}

export function listSlackChannels(signal: AbortSignal): Promise<Schema<'ListSlackChannelsAnswer'>> {
  return dataOf(api.GET('/v1/slack/channels', { signal }))
}
