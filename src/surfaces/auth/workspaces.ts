import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseWorkspace } from '../../commands/accounts/choose-workspace.ts'
import { createOwnWorkspace } from '../../commands/accounts/create-own-workspace.ts'
import { isRefusal, refuse } from '../../domain/refusal/refusal.ts'
import { fromId, toId } from '../../kernel/ids.ts'
import { html } from '../../kernel/markup.ts'
import type { SessionPerson } from '../../queries/accounts/find-session-person.ts'
import { listWorkspacesOf } from '../../queries/accounts/list-workspaces-of.ts'
import { formOf, personOf, sessionHashOf } from './browser.ts'
import { placesOf } from './chosen.ts'
import type { SignInContext } from './context.ts'
import { nextOf, toSignIn } from './enter.ts'
import { field, form, hasProblems, hidden, type Problems, problemsFrom } from './fields.ts'
import { sendRefusal } from './mount-pages.ts'
import { leadTo, sendPage } from './page.ts'

export function serveWorkspaces(pages: FastifyInstance, context: SignInContext): void {
  const { services } = context

  pages.get('/workspaces', async (request, reply) => {
    const person = await personOf(request)
    return person === null
      ? toSignIn(request, reply)
      : showWorkspaces(context, request, reply, person, { next: nextOf(request) })
  })

  pages.post('/workspaces', async (request, reply) => {
    const person = await personOf(request)
    if (person === null) return toSignIn(request, reply)
    const given = formOf(request)
    const workspaceId = fromId('org', given.get('workspace') ?? '')
    if (workspaceId === null) return sendRefusal(request, reply, refuse('not_found', 'Choose one of the workspaces.'))
    const refusal = await chooseWorkspace(services, sessionHashOf(request)!, person.user.id, workspaceId)
    if (refusal !== undefined) return sendRefusal(request, reply, refusal)
    return leadTo(reply, nextOf(request, given) ?? '/account?saved=workspace')
  })

  pages.post('/workspaces/new', async (request, reply) => {
    const person = await personOf(request)
    if (person === null) return toSignIn(request, reply)
    const given = formOf(request)
    const [name, next] = [given.get('name') ?? '', nextOf(request, given)]
    const made = await createOwnWorkspace(services, person.user.id, name)
    if (!isRefusal(made)) {
      await chooseWorkspace(services, sessionHashOf(request)!, person.user.id, made.workspaceId)
      return leadTo(reply, next ?? '/account?saved=workspace')
    }
    const problems = problemsFrom(made, ['name'])
    return problems === null
      ? sendRefusal(request, reply, made)
      : showWorkspaces(context, request, reply, person, { next, name, problems })
  })
}

interface Shown {
  next: string | null
  name?: string
  problems?: Problems
}

async function showWorkspaces(
  { services }: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  person: SessionPerson,
  { next, name = '', problems = {} }: Shown,
): Promise<FastifyReply> {
  const workspaces = await listWorkspacesOf(services.db, person.user.id)
  const choices = workspaces.map(
    (workspace) => html`<label class="choice">
<input type="radio" name="workspace" value="${toId('org', workspace.id)}"
required${workspace.id === person.workspaceId && html` checked`}>
<span>${workspace.name} <span class="quiet">${workspace.role}</span></span>
</label>`,
  )
  const fields = html`${hidden('next', next)}
<fieldset>
<legend>Your workspaces</legend>
${choices}
</fieldset>
<button type="submit">Use this workspace</button>`
  const making = html`${hidden('next', next)}
${field({ name: 'name', label: 'Name', autocomplete: 'organization', value: name }, problems)}
<button type="submit"${workspaces.length > 0 && html` class="plain"`}>Create the workspace</button>`
  const body = html`${
    workspaces.length === 0
      ? html`<p>You have no workspace yet. Create one, or open the link of an invitation.</p>`
      : html`<div class="sheet">
${form(request, reply, '/workspaces', fields)}
</div>`
  }
<div class="sheet">
<h2>${workspaces.length === 0 ? 'Your first workspace' : 'Create a workspace'}</h2>
${form(request, reply, '/workspaces/new', making)}
</div>`
  const chosen = workspaces.find(({ id }) => id === person.workspaceId)
  return sendPage(
    reply,
    { title: 'Choose a workspace', places: placesOf(chosen, '/workspaces'), body },
    hasProblems(problems) ? 400 : 200,
  )
}
