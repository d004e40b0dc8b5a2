import { api, dataOf, type Schema } from './client.ts'

export type Channel = Schema<'Channel'>
export type ChannelChange = Schema<'UpdateChannelBody'>
export type ChannelPresets = Schema<'ChannelPresets'>

export function listChannels(signal: AbortSignal): Promise<Schema<'ChannelList'>> {
  return dataOf(api.GET('/v1/channels', { signal }))
}

export function getChannel(id: string, signal: AbortSignal): Promise<Channel> {
  return dataOf(api.GET('/v1/channels/{id}', { params: { path: { id } }, signal }))
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

export function updateChannel(id: string, body: ChannelChange): Promise<Channel> {
  return dataOf(api.PATCH('/v1/channels/{id}', { params: { path: { id } }, body }))
}

export async function deleteChannel(id: string): Promise<void> {
  await dataOf(api.DELETE('/v1/channels/{id}', { params: { path: { id } } }))
}

/** Only this answer holds the new secret; the former one signs nothing from now on. */
export function rotateSecret(id: string): Promise<Channel> {
  return dataOf(api.POST('/v1/channels/{id}/rotate-secret', { params: { path: { id } } }))
}

export function getPresets(id: string, signal: AbortSignal): Promise<ChannelPresets> {
  return dataOf(api.GET('/v1/channels/{id}/presets', { params: { path: { id } }, signal }))
}

export function setPresets(id: string, body: Schema<'SetPresetsBody'>): Promise<ChannelPresets> {
  return dataOf(api.PUT('/v1/channels/{id}/presets', { params: { path: { id } }, body }))
}
