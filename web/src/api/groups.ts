import { api, dataOf, type Schema } from './client.ts'

export type Group = Schema<'Group'>
export type NewGroup = Schema<'CreateGroupBody'>
export type GroupChange = Schema<'UpdateGroupBody'>

/** All groups, the default group first. */
export function listGroups(signal: AbortSignal): Promise<Schema<'GroupList'>> {
  return dataOf(api.GET('/v1/groups', { signal }))
}

export function createGroup(body: NewGroup): Promise<Group> {
  return dataOf(api.POST('/v1/groups', { body }))
}

export function updateGroup(id: string, body: GroupChange): Promise<Group> {
  return dataOf(api.PATCH('/v1/groups/{id}', { params: { path: { id } }, body }))
}

export async function deleteGroup(id: string): Promise<void> {
  await dataOf(api.DELETE('/v1/groups/{id}', { params: { path: { id } } }))
}
