import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthorizationRequest } from '../../domain/oauth/authorization-request.ts'
import { isDocumentAddress } from '../../domain/oauth/document-address.ts'
import { type RedirectTarget, redirectTarget } from '../../domain/oauth/redirect-uri.ts'
import type { OAuthRefusal } from '../../domain/oauth/refusal.ts'
import { type Scope, scopeText } from '../../domain/oauth/scope.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { type Html, html } from '../../kernel/markup.ts'
import type { SessionPerson } from '../../queries/accounts/find-session-person.ts'
import type { WorkspaceOfPerson } from '../../queries/accounts/list-workspaces-of.ts'
import { form, hidden } from '../auth/fields.ts'
import type { Page } from '../auth/page.ts'
import { PATHS } from './context.ts'

export interface ConsentChoice {
  workspaceId?: Uuid | null
  scope?: Scope | null
  problem?: string
}

export interface Consent {
  asked: AuthorizationRequest
  person: SessionPerson
  workspaces: readonly WorkspaceOfPerson[]
  chosen: ConsentChoice
}

/**
 * Shows who asks, as far as known, and where the answer goes, and lets the person choose one workspace and less access.
 */
export function consentPage(request: FastifyRequest, reply: FastifyReply, consent: Consent): Page {
  const { asked, person, workspaces, chosen } = consent
  const target = redirectTarget(asked.redirectUri)
  const body = html`${chosen.problem !== undefined && html`<p class="note wrong" role="alert">${chosen.problem}</p>`}
<div class="sheet">
<p>A program that calls itself <strong>${asked.client.name}</strong> asks for access to a workspace of yours. It would
act in your name, and can do no more than you may.</p>
<ul>
<li>${originOf(asked)}</li>
<li>Your answer goes to ${inWords(target)}.</li>
<li>You are signed in as <strong>${person.user.email}</strong>.</li>
</ul>
${warningFor(asked, target)}
${form(request, reply, PATHS.authorize, workspaces.length === 0 ? withoutWorkspace(asked) : choices(consent))}
</div>
<p class="hint">You can take this back at any time under <a href="/account">your account</a>. API keys that the program
has made by then are revoked with it, and its open invitations withdrawn; channels that it made stay,
and are listed there.</p>`
  // Browsers apply form-action to redirects too, and a client may redirect further.
  return { title: 'Allow access?', body, formTargets: [asked.redirectUri, 'https:'] }
}

/** For a request whose client cannot be told. */
export function unanswerablePage({ description }: OAuthRefusal): Page {
  const body = html`<div class="sheet">
<p role="alert">${description}</p>
<p>The program that sent you here made a mistake, or is not known here any more. Nothing was allowed. Go back to it,
remove its connection to this service and add it again.</p>
</div>`
  return { title: 'This request is not valid', body }
}

function choices({ asked, person, workspaces, chosen }: Consent): Html {
  const only = workspaces.length === 1 ? workspaces[0]!.id : null
  const picked = chosen.workspaceId ?? person.workspaceId ?? only
  return html`${carried(asked)}
<fieldset>
<legend>Workspace</legend>
${workspaces.map(({ id, name }) => choice('workspace', toId('org', id), name, id === picked))}
</fieldset>
${
  asked.scope === 'read'
    ? html`<p>It may <strong>only read</strong>.</p>${hidden('access', 'read')}`
    : extent(chosen.scope ?? asked.scope)
}
${decisions(true)}`
}

function extent(picked: Scope): Html {
  return html`<fieldset>
<legend>Access</legend>
${choice('access', 'read', 'Read only', picked === 'read')}
${choice('access', 'write', 'Read and write', picked === 'write')}
</fieldset>`
}

function withoutWorkspace(asked: AuthorizationRequest): Html {
  return html`${carried(asked)}
<p class="note">You have no workspace yet. <a href="/workspaces">Create one</a> and come back,
or accept an invitation to one.</p>
${decisions(false)}`
}

function decisions(canAllow: boolean): Html {
  return html`<div class="actions">
${canAllow && html`<button type="submit" name="decision" value="allow">Allow</button>`}
<button type="submit" name="decision" value="deny" class="plain">Do not allow</button>
</div>`
}

function choice(name: string, value: string, label: string, picked: boolean): Html {
  return html`<label class="choice"><input type="radio" name="${name}" value="${value}"${
    picked &&
    html`
  checked`
  }>
  <span>${label}</span></label>`
}

/** The request as understood. It is checked again with the decision. */
function carried({ client, redirectUri, state, challenge, scope, resource }: AuthorizationRequest): Html {
  return html`${[
    hidden('client_id', client.id),
    hidden('redirect_uri', redirectUri),
    hidden('response_type', 'code'),
    hidden('state', state),
    hidden('code_challenge', challenge),
    hidden('code_challenge_method', 'S256'),
    hidden('scope', scopeText(scope)),
    hidden('resource', resource),
  ]}`
}

/** A document proves the origin, a registration only claims it. */
function originOf({ client: { id, homeUrl } }: AuthorizationRequest): Html {
  if (isDocumentAddress(id)) return html`It is described by <strong>${new URL(id).host}</strong>.`
  if (homeUrl !== null)
    return html`It says that it comes from <strong>${new URL(homeUrl).host}</strong>, which is not verified.`
  return html`The app does not name its website.`
}

function inWords({ kind, name }: RedirectTarget): Html {
  if (kind === 'site') return html`<strong>${name}</strong>`
  if (kind === 'this_machine') return html`a program on this computer (<strong>${name}</strong>)`
  return html`the app on this computer that opens addresses with <strong>${name}:</strong>`
}

/** When the redirect does not show its owner, only the person can know. */
function warningFor({ client: { id } }: AuthorizationRequest, { kind, name }: RedirectTarget): Html | null {
  if (kind !== 'site')
    return html`<p class="note"><strong>Any program on this computer could be asking.</strong> Allow this only if you
    have just begun it yourself, in a program that you trust.</p>`
  if (isDocumentAddress(id) && new URL(id).host === name) return null
  return html`<p class="note">The name is not verified. Allow this only if you know
  and trust <strong>${name}</strong>.</p>`
}
