import type { FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'
import type { Writing } from '../../commands/writing.ts'
import type { Role } from '../../domain/member/member.ts'
import { refuse } from '../../domain/refusal/refusal.ts'
import { toId } from '../../kernel/ids.ts'
import { type Html, html } from '../../kernel/markup.ts'
import { createApiKeyOperation } from '../../operations/api-keys/create-api-key.ts'
import type { SessionPerson } from '../../queries/accounts/find-session-person.ts'
import { listWorkspacesOf, type WorkspaceOfPerson } from '../../queries/accounts/list-workspaces-of.ts'
import { formOf, personOf } from './browser.ts'
import type { AuthDoor } from './door.ts'
import { toSignIn } from './enter.ts'
import { form, hidden } from './fields.ts'
import { sendRefusal } from './mount-pages.ts'
import { localPath, withNext } from './next.ts'
import { leadTo } from './page.ts'

/** Who is at work in a browser, in which workspace, and as what they are there at this moment. */
export interface Chosen {
  person: SessionPerson
  workspace: WorkspaceOfPerson
  /** What commands and queries are handed for this workspace. */
  writing: Writing
}

type Answer<Route extends RouteGenericInterface> = (
  request: FastifyRequest<Route>,
  reply: FastifyReply,
  chosen: Chosen,
) => Promise<FastifyReply> | FastifyReply

/**
 * Answers a page about the workspace that is chosen in this browser. Who has not signed in, or chosen none, does that
 * first. A form says for which workspace it was shown: another may have been chosen in another window since.
 */
export function inChosen<Route extends RouteGenericInterface = RouteGenericInterface>(
  { services }: AuthDoor,
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

/** A form of a page about the chosen workspace. */
export function workspaceForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { workspace }: Chosen,
  action: string,
  body: Html,
): Html {
  return form(request, reply, action, html`${hidden(FOR_WORKSPACE, toId('org', workspace.id))}${body}`)
}

/** The field of these forms that names their workspace. */
const FOR_WORKSPACE = 'workspace'

const MOVED = refuse('conflict', 'Another workspace was chosen in this browser in the meantime. Nothing was changed.')

/** The pages that lead to each other, for who is signed in. */
export type Place = '/account' | '/workspaces' | '/team' | '/keys' | '/attention'

/** The line that leads among these pages: the name of the chosen workspace, and what this person can see of it. */
export function placesOf(workspace: WorkspaceOfPerson | undefined, here: Place): Html {
  const places: readonly (readonly [Place, string])[] = [
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

/** Whether a role makes and revokes API keys: those that the interface lets do it. */
export function managesKeys(role: Role): boolean {
  return createApiKeyOperation.roles.includes(role)
}

/** What somebody is, as it is said of them. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = { owner: 'an owner', admin: 'an admin', member: 'a member' }
