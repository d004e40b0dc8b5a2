import { api, dataOf, type Schema } from './client.ts'

export type Channel = Schema<'Channel'>

export function listChannels(signal: AbortSignal): Promise<Schema<'ChannelList'>> {
  return dataOf(api.GET('/v1/channels', { signal }))
}

/** Only this answer holds the secret of a webhook. */
export function createChannel(body: Schema<'CreateChannelBody'>): Promise<Channel> {
  return dataOf(api.POST('/v1/channels', { body }))
}

export function testChannel(id: string): Promise<Schema<'TestOutcomes'>> {
  return dataOf(api.POST('/v1/channels/{id}/test', { params: { path: { id } } }))
}

/** The link that connects a Telegram chat is in `config.connectUrl`. */
export function connectChannel(id: string): Promise<Channel> {
  return dataOf(api.POST('/v1/channels/{id}/connect', { params: { path: { id } } }))
}

export async function createConfirmation(id: string, email: string): Promise<void> {
  await dataOf(api.POST('/v1/channels/{id}/confirmations', { params: { path: { id } }, body: { email } }))
}
