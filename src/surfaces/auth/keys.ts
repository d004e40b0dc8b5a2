import type { FastifyInstance, FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'
import { z } from 'zod'
import { createApiKey } from '../../commands/api-keys/create-api-key.ts'
import { revokeApiKey } from '../../commands/api-keys/revoke-api-key.ts'
import { isRefusal, type Refusal, refuse, refuseFields } from '../../domain/refusal/refusal.ts'
import { DAY_MS, dayOf, plus } from '../../kernel/clock.ts'
import { fromId } from '../../kernel/ids.ts'
import { type Html, html } from '../../kernel/markup.ts'
import { API_KEY_NAME_MAX } from '../../operations/api-keys/shapes.ts'
import { check } from '../../operations/problems.ts'
import { lineIn } from '../../operations/shapes.ts'
import { type ApiKey, listApiKeys } from '../../queries/api-keys.ts'
import { formOf } from './browser.ts'
import { type ChosenWorkspace, inChosen, managesKeys, placesOf, workspaceForm } from './chosen.ts'
import type { SignInContext } from './context.ts'
import { choices, field, hasProblems, type Problems, problemsFrom } from './fields.ts'
import { sendRefusal } from './mount-pages.ts'
import { leadTo, sendPage } from './page.ts'

export function serveKeys(pages: FastifyInstance, context: SignInContext): void {
  pages.get(
    '/keys',
    forManagers(context, (request, reply, chosen) => showKeys(request, reply, chosen)),
  )

  pages.post(
    '/keys',
    forManagers(context, async (request, reply, chosen) => {
      const given = formOf(request)
      const entered = {
        name: given.get('name') ?? '',
        scope: given.get('scope') ?? '',
        days: (given.get('days') ?? '').trim(),
      }
      const problems = problemsWith(entered)
      if (hasProblems(problems)) return showKeys(request, reply, chosen, { ...entered, problems })
      const made = await makeKey(chosen, entered)
      return isRefusal(made) ? sendRefusal(request, reply, made, BACK) : showSecret(reply, chosen, made)
    }),
  )

  pages.get<WithId>(
    '/keys/:id/revoke',
    forManagers(context, async (request, reply, chosen) => {
      const key = (await listApiKeys(chosen.writing)).find(({ id }) => id === request.params.id)
      return key === undefined
        ? sendRefusal(request, reply, noSuchKey(), BACK)
        : askBeforeRevoking(request, reply, chosen, key)
    }),
  )

  pages.post<WithId>(
    '/keys/:id/revoke',
    forManagers(context, async (request, reply, { writing }) => {
      const id = fromId('key', request.params.id)
      const refusal = id === null ? noSuchKey() : await revokeApiKey(writing, id)
      return refusal === undefined ? leadTo(reply, '/keys?revoked') : sendRefusal(request, reply, refusal, BACK)
    }),
  )
}

interface WithId {
  Params: { id: string }
}

const BACK = { address: '/keys', words: 'Back to the keys' } as const

/** Commands trust their caller, so the role is checked here as in the API. */
function forManagers<Route extends RouteGenericInterface>(
  context: SignInContext,
  answer: Parameters<typeof inChosen<Route>>[1],
) {
  return inChosen<Route>(context, (request, reply, chosen) => {
    if (managesKeys(chosen.workspace.role)) return answer(request, reply, chosen)
    return sendRefusal(request, reply, refuse('forbidden', 'Only owners manage API keys.'), {
      address: '/team',
      words: 'See who they are',
    })
  })
}

function noSuchKey(): Refusal<'not_found'> {
  return refuse('not_found', 'This workspace has no such API key.')
}

interface Entered {
  name: string
  scope: string
  /** Empty for a key without end. */
  days: string
}

const NAMED = z.object({ name: lineIn(1, API_KEY_NAME_MAX) })
const SCOPES = ['read', 'write'] as const
const DAYS_MAX = 3650

function problemsWith({ name, scope, days }: Entered): Problems {
  const named = check(NAMED, { name }, 'field')
  return {
    ...('problems' in named ? problemsFrom(refuseFields(named.problems), ['name']) : {}),
    scope: SCOPES.some((item) => item === scope) ? null : 'choose one of them',
    days:
      days === '' || (/^\d{1,4}$/.test(days) && Number(days) >= 1 && Number(days) <= DAYS_MAX)
        ? null
        : `must be a whole number from 1 to ${DAYS_MAX}, or empty`,
  }
}

function makeKey({ writing }: ChosenWorkspace, { name, scope, days }: Entered): ReturnType<typeof createApiKey> {
  const expiresAt = days === '' ? null : plus(writing.clock.now(), Number(days) * DAY_MS)
  return createApiKey(writing, {
    name: NAMED.parse({ name }).name,
    scope: scope === 'write' ? 'write' : 'read',
    expiresAt,
  })
}

async function showKeys(
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: ChosenWorkspace,
  { name, scope, days, problems }: Entered & { problems: Problems } = {
    name: '',
    scope: 'read',
    days: '',
    problems: {},
  },
): Promise<FastifyReply> {
  const { writing, workspace } = chosen
  const keys = await listApiKeys(writing)
  const fields = html`${field({ ...NAME_FIELD, value: name }, problems)}
${choices({ name: 'scope', legend: 'Scope', options: SCOPE_CHOICES, picked: scope }, problems)}
${field({ ...DAYS_FIELD, value: days }, problems)}
<button type="submit">Create the key</button>`
  const body = html`${
    'revoked' in (request.query as object) && html`<p class="note" role="status">The key is revoked.</p>`
  }
<p>Programs use a key to act for the workspace.
Create one key for each program, so that you can revoke them separately.</p>
${
  keys.length > 0 &&
  html`<section class="sheet" aria-labelledby="keys">
<h2 id="keys">Keys</h2>
<ul class="rows">${keys.map((key) => keyRow(key, writing.clock.now()))}</ul>
</section>`
}
<section class="sheet" aria-labelledby="new">
<h2 id="new">Create a key</h2>
${workspaceForm(request, reply, chosen, '/keys', fields)}
</section>`
  return sendPage(
    reply,
    { title: 'API keys', places: placesOf(workspace, '/keys'), body },
    hasProblems(problems) ? 400 : 200,
  )
}

const NAME_FIELD = {
  name: 'name',
  label: 'Name',
  autocomplete: 'off',
  hint: 'What the key is for.',
} as const
const DAYS_FIELD = {
  name: 'days',
  label: 'Days until it expires',
  autocomplete: 'off',
  hint: 'Leave empty for a key that does not expire.',
  optional: true,
  digits: true,
} as const
const SCOPE_CHOICES = [
  { value: 'read', label: 'Read', hint: 'Reads everything and changes nothing.' },
  {
    value: 'write',
    label: 'Read and write',
    hint: 'Does everything keys can do, including creating and revoking keys.',
  },
]

function keyRow({ id, name, prefix, scope, lastUsedAt, expiresAt }: ApiKey, now: Date): Html {
  return html`<li><strong>${name}</strong> <span
  class="quiet">${scope === 'write' ? 'reads and changes' : 'reads'}</span>
<p class="hint"><code>${prefix}…</code><br>${
    lastUsedAt === null ? 'never used' : `last used ${dayOf(new Date(lastUsedAt))}`
  }, ${endOf(expiresAt, now)}</p>
<a class="button alarm" href="/keys/${id}/revoke" aria-label="Revoke ${name}">Revoke</a></li>`
}

function endOf(expiresAt: string | null, now: Date): string {
  if (expiresAt === null) return 'does not end'
  const end = new Date(expiresAt)
  return `${end <= now ? 'ended' : 'ends'} ${dayOf(end)}`
}

/** Shown in the answer to the form only, so no other page can show the secret. */
function showSecret(
  reply: FastifyReply,
  { workspace }: ChosenWorkspace,
  { name, key }: ApiKey & { key: string },
): FastifyReply {
  const body = html`<div class="sheet">
<p>This is the key <strong>${name}</strong>. Copy it now: it is kept nowhere and cannot be shown again.</p>
<p><code class="copy">${key}</code></p>
<p class="hint">Programs send it with every request, in the header <code>Authorization: Bearer</code>.</p>
</div>
<p class="links"><a href="/keys">I have copied it</a></p>`
  return sendPage(reply, { title: 'Your new key', places: placesOf(workspace, '/keys'), body })
}

function askBeforeRevoking(
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: ChosenWorkspace,
  { id, name, prefix }: ApiKey,
): FastifyReply {
  const body = html`<div class="sheet">
<p>Programs that use <strong>${name}</strong> (<code>${prefix}…</code>) are shut out at once. This cannot be
undone.</p>
${workspaceForm(
  request,
  reply,
  chosen,
  `/keys/${id}/revoke`,
  html`<button type="submit" class="alarm">Revoke
${name}</button>`,
)}
</div>
<p class="links"><a href="/keys">Change nothing</a></p>`
  return sendPage(reply, { title: 'Revoke a key?', places: placesOf(chosen.workspace, '/keys'), body })
}
