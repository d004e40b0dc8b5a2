import type { operations } from '../../../src/client/schema.d.ts'
import { api, dataOf, type Schema } from './client.ts'

export type Person = Schema<'Person'>
export type PersonChange = Schema<'UpdatePersonBody'>
export type PeopleQuery = NonNullable<operations['listPeople']['parameters']['query']>

export function listPeople(query: PeopleQuery, signal: AbortSignal): Promise<Schema<'ListPeopleAnswer'>> {
  return dataOf(api.GET('/v1/people', { params: { query }, signal }))
}

export function getPerson(id: string, signal: AbortSignal): Promise<Person> {
  return dataOf(api.GET('/v1/people/{id}', { params: { path: { id } }, signal }))
}

export function updatePerson(id: string, body: PersonChange): Promise<Person> {
  return dataOf(api.PATCH('/v1/people/{id}', { params: { path: { id } }, body }))
}

/** Moves all accounts of a person to another, and answers that one. */
export function mergePerson(id: string, into: string): Promise<Person> {
  return dataOf(api.POST('/v1/people/{id}/merge', { params: { path: { id } }, body: { into } }))
}

/** Makes people of their own of accounts, and answers the remaining person first. */
export function splitPerson(id: string, accountIds: string[]): Promise<Schema<'SplitPersonAnswer'>> {
  return dataOf(api.POST('/v1/people/{id}/split', { params: { path: { id } }, body: { accountIds } }))
}
