import { api, dataOf, type Schema } from './client.ts'

export type Person = Schema<'Person'>

export function updatePerson(id: string, body: Schema<'UpdatePersonBody'>): Promise<Person> {
  return dataOf(api.PATCH('/v1/people/{id}', { params: { path: { id } }, body }))
}
