import { api, dataOf, type Schema } from './client.ts'

export type Segment = Schema<'Segment'>
export type PeopleFilter = Schema<'PeopleFilter'>
export type NewSegment = Schema<'CreateSegmentBody'>
export type SegmentChange = Schema<'UpdateSegmentBody'>

export function listSegments(signal: AbortSignal): Promise<Schema<'ListSegmentsAnswer'>> {
  return dataOf(api.GET('/v1/segments', { signal }))
}

export function getSegment(id: string, signal: AbortSignal): Promise<Segment> {
  return dataOf(api.GET('/v1/segments/{id}', { params: { path: { id } }, signal }))
}

export function createSegment(body: NewSegment): Promise<Segment> {
  return dataOf(api.POST('/v1/segments', { body }))
}

export function updateSegment(id: string, body: SegmentChange): Promise<Segment> {
  return dataOf(api.PATCH('/v1/segments/{id}', { params: { path: { id } }, body }))
}

export async function deleteSegment(id: string): Promise<void> {
  await dataOf(api.DELETE('/v1/segments/{id}', { params: { path: { id } } }))
}
