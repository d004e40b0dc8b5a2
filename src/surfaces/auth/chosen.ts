import type { FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'
import type { WritingContext } from '../../commands/writing.ts'
import type { Role } from '../../domain/member/member.ts'
import { refuse } from '../../domain/refusal/refusal.ts'
import { toId } from '../../kernel/ids.ts'
import { type Html, html } from '../../kernel/markup.ts'
import { createApiKeyOperation } from '../../operations/api-keys/create-api-key.ts'
import type { SessionPerson } from '../../queries/accounts/find-session-person.ts'
import { listWorkspacesOf, type WorkspaceOfPerson } from '../../queries/accounts/list-workspaces-of.ts'
import { formOf, personOf } from './browser.ts'
import type { SignInContext } from './context.ts'
import { toSignIn } from './enter.ts'
import { form, hidden } from './fields.ts'
import { sendRefusal } from './mount-pages.ts'
import { localPath, withNext } from './next.ts'
import { leadTo } from './page.ts'

export interface ChosenWorkspace {
  person: SessionPerson
  workspace: WorkspaceOfPerson
  /** The arguments of commands and queries. */
  writing: WritingContext
}

type Answer<Route extends RouteGenericInterface> = (
  request: FastifyRequest<Route>,
  reply: FastifyReply,
  chosen: ChosenWorkspace,
) => Promise<FastifyReply> | FastifyReply

/**
 * Requires a signed-in person and a chosen workspace. A form names its workspace, because another window may have
 * chosen another.
 */
export function inChosen<Route extends RouteGenericInterface = RouteGenericInterface>(
  { services }: SignInContext,
  answer: Answer<Route>,
) {
  return async (request: FastifyRequest<Route>, reply: FastifyReply): Promise<FastifyReply> => {
    const person = await personOf(request)
    if (person === null) return toSignIn(request, reply)
    const isForm = request.method === 'POST'
    const workspace = (await listWorkspacesOf(services.db, person.user.id)).find(({ id }) => id === person.workspaceId)
    if (workspace === undefined)
      return leadTo(reply, withNext('/workspaces', isForm ? null : localPath(request.url, services.publicUrl)))
    if (isForm && formOf(request).get(FOR_WORKSPACE) !== toId('org', workspace.id))
      return sendRefusal(request, reply, MOVED, { address: '/team', words: 'Go on' })
    return answer(request, reply, { person, workspace, writing: { ...services, workspaceId: workspace.id } })
  }
}

export function workspaceForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { workspace }: ChosenWorkspace,
  action: string,
  body: Html,
): Html {
  return form(request, reply, action, html`${hidden(FOR_WORKSPACE, toId('org', workspace.id))}${body}`)
}

const FOR_WORKSPACE = 'workspace'

const MOVED = refuse('conflict', 'Another workspace was chosen in this browser in the meantime. Nothing was changed.')

export type PagePlace = '/account' | '/workspaces' | '/team' | '/keys' | '/attention'

export function placesOf(workspace: WorkspaceOfPerson | undefined, here: PagePlace): Html {
  const places: readonly (readonly [PagePlace, string])[] = [
    ...(workspace === undefined ? [] : [['/attention', 'Attention'] as const, ['/team', 'Team'] as const]),
    ...(workspace !== undefined && managesKeys(workspace.role) ? [['/keys', 'Keys'] as const] : []),
    ['/account', 'Account'],
    ['/workspaces', 'Workspaces'],
  ]
  return html`<nav class="line" aria-label="Your pages">
${
  workspace === undefined
    ? html`<span class="quiet">No workspace is chosen</span>`
    : html`<strong>${workspace.name}</strong>`
}
<ul>
${places.map(
  ([address, words]) => html`<li><a
href="${address}"${
    address === here &&
    html`
aria-current="page"`
  }>${words}</a></li>`,
)}
</ul>
</nav>`
}

/** The same roles as in the API. */
export function managesKeys(role: Role): boolean {
  return createApiKeyOperation.roles.includes(role)
}

export const ROLE_WORDS: Readonly<Record<Role, string>> = { owner: 'an owner', admin: 'an admin', member: 'a member' }
