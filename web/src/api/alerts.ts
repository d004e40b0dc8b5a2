import { api, dataOf, type Schema } from './client.ts'

export type Alert = Schema<'Alert'>
export type AlertPreview = Schema<'PreviewAlertAnswer'>
export type AlertChange = Schema<'UpdateAlertBody'>
export type NewAlert = Schema<'CreateAlertBody'>
export type RuleFilter = Schema<'RuleFilter'>

export function listAlerts(signal: AbortSignal): Promise<Schema<'AlertList'>> {
  return dataOf(api.GET('/v1/alerts', { signal }))
}

export function getAlert(id: string, signal: AbortSignal): Promise<Alert> {
  return dataOf(api.GET('/v1/alerts/{id}', { params: { path: { id } }, signal }))
}

export function createAlert(body: NewAlert): Promise<Alert> {
  return dataOf(api.POST('/v1/alerts', { body }))
}

export function previewAlert(body: Schema<'PreviewAlertBody'>, signal: AbortSignal): Promise<AlertPreview> {
  return dataOf(api.POST('/v1/alerts/preview', { body, signal }))
}

export function updateAlert(id: string, body: AlertChange): Promise<Alert> {
  return dataOf(api.PATCH('/v1/alerts/{id}', { params: { path: { id } }, body }))
}

export async function deleteAlert(id: string): Promise<void> {
  await dataOf(api.DELETE('/v1/alerts/{id}', { params: { path: { id } } }))
}

/** Sends the event `test` to every channel of the rule. */
export function testAlert(id: string): Promise<Schema<'TestOutcomes'>> {
  return dataOf(api.POST('/v1/alerts/{id}/test', { params: { path: { id } } }))
}

/** Sends the last digest now, unless it was sent. */
export function runAlert(id: string): Promise<Schema<'AlertRun'>> {
  return dataOf(api.POST('/v1/alerts/{id}/run', { params: { path: { id } } }))
}

export function muteAlertAuthors(id: string, authors: string[]): Promise<Alert> {
  return dataOf(api.POST('/v1/alerts/{id}/mute', { params: { path: { id } }, body: { authors } }))
}

export function unmuteAlertAuthors(id: string, authors: string[]): Promise<Alert> {
  return dataOf(api.POST('/v1/alerts/{id}/unmute', { params: { path: { id } }, body: { authors } }))
}
