import { api, dataOf, type Schema } from './client.ts'

export type Member = Schema<'Member'>
export type Invitation = Schema<'Invitation'>
export type Workspace = Schema<'Workspace'>
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

export function renameWorkspace(name: string): Promise<Workspace> {
  return dataOf(api.PATCH('/v1/workspace', { body: { name } }))
}

export function getWorkspace(signal: AbortSignal): Promise<Workspace> {
  return dataOf(api.GET('/v1/workspace', { signal }))
}

/** Null follows the installation. */
export function updateRetention(body: { mentionDays: number | null; deliveryDays: number | null }): Promise<Workspace> {
  return dataOf(api.PATCH('/v1/workspace/retention', { body }))
}

/** `name` confirms the deletion. */
export function deleteWorkspace(name: string): Promise<Workspace> {
  return dataOf(api.DELETE('/v1/workspace', { params: { query: { name } } }))
}

export function restoreWorkspace(): Promise<Workspace> {
  return dataOf(api.POST('/v1/workspace/restore'))
}
