import { api, dataOf, type Schema } from './client.ts'

export type Member = Schema<'Member'>
export type Invitation = Schema<'Invitation'>
export type Source = Schema<'Source'>

export function listMembers(signal: AbortSignal): Promise<Schema<'MemberList'>> {
  return dataOf(api.GET('/v1/members', { signal }))
}

/** Open invitations; admins and owners may read them. */
export function listInvitations(signal: AbortSignal): Promise<Schema<'InvitationList'>> {
  return dataOf(api.GET('/v1/members/invitations', { signal }))
}

export function listSources(signal: AbortSignal): Promise<Schema<'ListSourcesAnswer'>> {
  return dataOf(api.GET('/v1/sources', { signal }))
}

export function renameWorkspace(name: string): Promise<Schema<'Workspace'>> {
  return dataOf(api.PATCH('/v1/workspace', { body: { name } }))
}
