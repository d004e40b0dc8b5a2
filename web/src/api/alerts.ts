import { api, dataOf, type Schema } from './client.ts'

export type Alert = Schema<'Alert'>
export type AlertPreview = Schema<'PreviewAlertAnswer'>

export function listAlerts(signal: AbortSignal): Promise<Schema<'AlertList'>> {
  return dataOf(api.GET('/v1/alerts', { signal }))
}

export function createAlert(body: Schema<'CreateAlertBody'>): Promise<Alert> {
  return dataOf(api.POST('/v1/alerts', { body }))
}

export function previewAlert(body: Schema<'PreviewAlertBody'>, signal: AbortSignal): Promise<AlertPreview> {
  return dataOf(api.POST('/v1/alerts/preview', { body, signal }))
}
