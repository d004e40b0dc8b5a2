import { api, dataOf, type Schema } from './client.ts'

export type SlackChannel = Schema<'SlackChannel'>

export function getSlack(signal: AbortSignal): Promise<Schema<'SlackConnection'>> {
  return dataOf(api.GET('/v1/slack', { signal }))
}

export function connectSlack(): Promise<Schema<'ConnectSlackAnswer'>> {
  return dataOf(api.POST('/v1/slack/connect'))
}

/** Its channels stop until a team is connected again. */
export async function disconnectSlack(): Promise<void> {
  await dataOf(api.DELETE('/v1/slack'))
}

export function listSlackChannels(signal: AbortSignal): Promise<Schema<'ListSlackChannelsAnswer'>> {
  return dataOf(api.GET('/v1/slack/channels', { signal }))
}
