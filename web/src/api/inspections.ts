import { api, dataOf, type Schema } from './client.ts'

export type InspectedRequest = Schema<'InspectedRequest'>

/** Only this answer holds the URL. */
export function createInspection(name: string): Promise<Schema<'CreateInspectionAnswer'>> {
  return dataOf(api.POST('/v1/inspections', { body: { name } }))
}

export function getInspection(id: string, signal: AbortSignal): Promise<Schema<'GetInspectionAnswer'>> {
  return dataOf(api.GET('/v1/inspections/{id}', { params: { path: { id } }, signal }))
}
