import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseLanguage } from '../../commands/accounts/choose-language.ts'
import { renameAccount } from '../../commands/accounts/rename-account.ts'
import { revokeGrant } from '../../commands/accounts/revoke-grant.ts'
import { LANGUAGE_NAMES, type Language } from '../../domain/account/language.ts'
import { refuse } from '../../domain/refusal/refusal.ts'
import { toolServerUrl } from '../../domain/workspace/workspace.ts'
import { dayOf } from '../../kernel/clock.ts'
import { type Html, html } from '../../kernel/markup.ts'
import { countOwnedKeys, type OwnedKeys } from '../../queries/accounts/count-owned-keys.ts'
import type { SessionPerson } from '../../queries/accounts/find-session-person.ts'
import { type GrantOfPerson, listGrantsOf } from '../../queries/accounts/list-grants-of.ts'
import { listWorkspacesOf } from '../../queries/accounts/list-workspaces-of.ts'
import { formOf, personOf } from './browser.ts'
import { placesOf, ROLE_WORDS } from './chosen.ts'
import type { SignInContext } from './context.ts'
import { toSignIn } from './enter.ts'
import { field, form, hasProblems, hidden, type Problems, problemsFrom, select } from './fields.ts'
import { sendRefusal } from './mount-pages.ts'
import { leadTo, sendPage } from './page.ts'
import { disconnecting, passwordForm } from './password.ts'

export function serveAccount(pages: FastifyInstance, context: SignInContext): void {
  const { services } = context

  pages.get('/account', async (request, reply) => {
    const person = await personOf(request)
    return person === null ? toSignIn(request, reply) : showAccount(context, request, reply, person)
  })

  pages.post('/account/name', async (request, reply) => {
    const person = await personOf(request)
    if (person === null) return toSignIn(request, reply)
    const name = formOf(request).get('name') ?? ''
    const refusal = await renameAccount(services, person.user.id, name)
    if (refusal === undefined) return leadTo(reply, '/account?saved=name')
    return showAccount(context, request, reply, person, { name, problems: problemsFrom(refusal, ['name'])! })
  })

  pages.post('/account/language', async (request, reply) => {
    const person = await personOf(request)
    if (person === null) return toSignIn(request, reply)
    const refusal = await chooseLanguage(services, person.user.id, formOf(request).get('language'))
    return refusal === undefined ? leadTo(reply, '/account?saved=language') : sendRefusal(request, reply, refusal)
  })

  pages.post('/account/apps', async (request, reply) => {
    const person = await personOf(request)
    if (person === null) return toSignIn(request, reply)
    const app = formOf(request).get('app')
    const grant = (await listGrantsOf(services.db, person.user.id, services.clock.now())).find(({ id }) => id === app)
    const refusal =
      grant === undefined
        ? refuse('not_found', 'This app is no longer connected.')
        : await revokeGrant(services, person.user.id, grant)
    return refusal === undefined ? leadTo(reply, '/account?saved=app') : sendRefusal(request, reply, refusal)
  })
}

const SAVED: ReadonlyMap<unknown, string> = new Map([
  ['name', 'Your name is saved.'],
  ['language', 'The language of the dashboard is saved.'],
  ['password', 'Your password is set. Other browsers are signed out.'],
  ['reset', 'Your password is set. All other sign-ins and links have ended.'],
  ['app', 'The app is disconnected. Its API keys are revoked, and its open invitations are withdrawn.'],
  ['workspace', 'The workspace is chosen.'],
  ['left', 'You have left the workspace.'],
])

interface Entered {
  name?: string
  problems?: Problems
}

async function showAccount(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  person: SessionPerson,
  { name = person.user.name, problems = {} }: Entered = {},
): Promise<FastifyReply> {
  const { services } = context
  const { user } = person
  const [workspaces, grants] = [
    await listWorkspacesOf(services.db, user.id),
    await listGrantsOf(services.db, user.id, services.clock.now()),
  ]
  const workspace = workspaces.find(({ id }) => id === person.workspaceId)
  const { saved: word } = request.query as { saved?: unknown }
  const saved = SAVED.get(word)
  const keys = word === 'reset' ? await countOwnedKeys(services.db, user.id, services.clock.now()) : []
  const body = html`${saved !== undefined && html`<p class="note" role="status">${saved}</p>`}
${keys.length > 0 && keysToLookAt(keys)}
<section class="sheet" aria-labelledby="workspace">
<h2 id="workspace">Workspace</h2>
<p>${workspace === undefined ? 'None is chosen.' : chosenWorkspace(workspace)}</p>
<a class="button plain" href="/workspaces">${otherWorkspace(workspaces.length)}</a>
</section>
<section class="sheet" aria-labelledby="apps">
<h2 id="apps">Connected apps</h2>
${
  grants.length === 0
    ? noApps(services.publicUrl)
    : html`<ul
class="rows">${grants.map((grant) => appRow(request, reply, grant))}</ul>`
}
</section>
<section class="sheet" aria-labelledby="you">
<h2 id="you">You</h2>
<p>You sign in as <strong>${user.email}</strong>.</p>
${form(
  request,
  reply,
  '/account/name',
  html`${field({ name: 'name', label: 'Your name', autocomplete: 'name', value: name }, problems)}<button type="submit"
  class="plain">Save the name</button>`,
)}
${form(request, reply, '/account/language', languageChoice(user.language))}
</section>
<section class="sheet" aria-labelledby="password">
<h2 id="password">${person.hasPassword ? 'Password' : 'Set a password'}</h2>
${passwordForm(context, request, reply, person, { next: null })}
</section>
<section class="sheet" aria-labelledby="out">
<h2 id="out">Signing out</h2>
${form(request, reply, '/sign-out', html`<button type="submit" class="plain">Sign out</button>`)}
${form(request, reply, '/sign-out/everywhere', leavingEverywhere())}
</section>`
  return sendPage(
    reply,
    { title: 'Your account', places: placesOf(workspace, '/account'), body },
    hasProblems(problems) ? 400 : 200,
  )
}

function languageChoice(picked: Language | null): Html {
  const options = [
    { value: '', label: 'As the browser' },
    ...Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label })),
  ]
  const label = 'Language of the dashboard'
  return html`${select({ name: 'language', label, spoken: label, options, picked: picked ?? '', within: 'account' })}
<button type="submit" class="plain">Save the language</button>`
}

function noApps(publicUrl: string): Html {
  return html`<p>None yet. To connect an assistant, add this address to it and sign in when it asks:</p>
<p><code>${toolServerUrl(publicUrl)}</code></p>`
}

function appRow(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, clientName, workspaceName, scope, createdAt, made }: GrantOfPerson,
): Html {
  const revoking = html`${hidden('app', id)}<button type="submit" class="alarm"
  aria-label="Disconnect ${clientName} from ${workspaceName}">Disconnect</button>`
  return html`<li><strong>${clientName}</strong> ${scope === 'write' ? 'reads and changes' : 'reads'}
  <strong>${workspaceName}</strong>
<p class="hint">Since ${dayOf(createdAt)}</p>
${madeBy(made)}
${form(request, reply, '/account/apps', revoking)}</li>`
}

function chosenWorkspace({ name, role }: { name: string; role: keyof typeof ROLE_WORDS }): Html {
  return html`<strong>${name}</strong>, of which you are ${ROLE_WORDS[role]}.`
}

function otherWorkspace(count: number): string {
  if (count > 1) return 'Choose another workspace'
  return count === 1 ? 'Create a workspace' : 'Make one'
}

/** Shows what ends with an app and what stays, before disconnecting. */
function madeBy({ keys, invitations, channels }: GrantOfPerson['made']): Html {
  const list = (what: string, names: readonly string[]) =>
    names.length > 0 && html`<li>${what}: ${names.join(', ')}</li>`
  return html`${
    keys.length + invitations.length > 0 &&
    html`<p class="hint">It made, and disconnecting it revokes:</p>
<ul class="hint">${list('API keys', keys)}${list('Open invitations', invitations)}</ul>`
  }
${
  channels.length > 0 &&
  html`<p class="hint">It made these channels, which stay and go on sending. Delete those that you do not want:</p>
<ul class="hint">${list('Channels', channels)}</ul>`
}`
}

/** Keys outlive every password, even keys of an intruder. */
function keysToLookAt(keys: readonly OwnedKeys[]): Html {
  return html`<div class="note">
<p>API keys go on working. If somebody else may have been in your account, look at the keys of the workspaces that you
own:</p>
<ul>
${keys.map(
  ({ workspaceName, keys: count }) => html`<li><strong>${workspaceName}</strong>:
${count === 1 ? 'one key' : `${count} keys`}</li>`,
)}
</ul>
<p>They are listed at <a href="/keys">Keys</a>, for the workspace that is chosen.</p>
</div>`
}

function leavingEverywhere(): Html {
  return html`<p>Everywhere means this browser and every other one. Your password stays as it is.</p>
${disconnecting()}
<button type="submit" class="alarm">Sign out everywhere</button>`
}
