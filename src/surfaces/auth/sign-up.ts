import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { completeSignUp } from '../../commands/accounts/complete-sign-up.ts'
import { peekLink } from '../../commands/accounts/peek-link.ts'
import { requestSignUp } from '../../commands/accounts/request-sign-up.ts'
import { signUpFirst } from '../../commands/accounts/sign-up-first.ts'
import { noSuchLink } from '../../commands/accounts/use-link.ts'
import { EMAIL_PROBLEM, foldEmail, nameProblem, passwordProblem } from '../../domain/account/account.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { COMMAND } from '../../kernel/checkout.ts'
import { html } from '../../kernel/markup.ts'
import { readBeginning } from '../../queries/accounts/read-beginning.ts'
import { askForAddress, mailIsOnItsWay } from './ask-for-mail.ts'
import { isAtHome, visited } from './at-home.ts'
import { formOf, personOf } from './browser.ts'
import { countAttempt, type SignInContext } from './context.ts'
import { enter, goOn, nextOf, rememberNext, takeNext } from './enter.ts'
import {
  field,
  fixedEmailField,
  form,
  hasProblems,
  hidden,
  newPasswordField,
  type Problems,
  problemsFrom,
  yourNameField,
} from './fields.ts'
import { sendRefusal } from './mount-pages.ts'
import { withNext } from './next.ts'
import { leadTo, sendPage } from './page.ts'
import { providerButtons } from './provider-buttons.ts'

export function serveSignUp(pages: FastifyInstance, context: SignInContext): void {
  const { services } = context

  pages.get('/sign-up', async (request, reply) => {
    if ((await personOf(request)) !== null) return goOn(reply, nextOf(request))
    const next = nextOf(request)
    const beginning = await readBeginning(services.db, isAtHome(request))
    if (beginning === 'first_come') return showFirst(context, request, reply, { next })
    if (services.signUp !== 'open')
      return beginning === 'by_operator' ? showOperatorsWay(reply, next) : showClosed(reply, next)
    const { sent } = request.query as { sent?: unknown }
    if (sent !== undefined) return mailIsOnItsWay(reply, 'with a link to continue. It works once, for a day.')
    return askForAddress(request, reply, { ...ASKING, next, below: providerButtons(context, { next }) })
  })

  pages.post('/sign-up', async (request, reply) => {
    const given = formOf(request)
    const [email, next] = [given.get('email') ?? '', nextOf(request, given)]
    const tooMany = await countAttempt(context, request, 'sign-up', email)
    if (tooMany !== null) return sendRefusal(request, reply, tooMany)
    if ((await readBeginning(services.db, isAtHome(request))) === 'first_come')
      return signUpAsFirst(context, request, reply, given)
    const refusal = await requestSignUp(visited(context, request), email)
    if (refusal === undefined) {
      rememberNext(request, reply, next)
      return leadTo(reply, '/sign-up?sent')
    }
    const problems = problemsFrom(refusal, ['email'])
    if (problems === null) return sendRefusal(request, reply, refusal)
    return askForAddress(request, reply, {
      ...ASKING,
      next,
      email,
      problems,
      below: providerButtons(context, { next }),
    })
  })

  pages.get<WithSecret>('/sign-up/:secret', async (request, reply) =>
    showCompletion(context, request, reply, request.params.secret),
  )

  pages.post<WithSecret>('/sign-up/:secret', async (request, reply) => {
    const { secret } = request.params
    const tooMany = await countAttempt(context, request, 'sign-up', null)
    if (tooMany !== null) return sendRefusal(request, reply, tooMany)
    const link = await peekLink(services.db, secret, 'sign_up', services.clock.now())
    if (link === null) return sendRefusal(request, reply, noSuchLink())
    const [name, password] = [formOf(request).get('name') ?? '', formOf(request).get('password') ?? '']
    const problems = { name: nameProblem(name), password: passwordProblem(password, link.email) }
    if (hasProblems(problems)) return showCompletion(context, request, reply, secret, { name, problems })
    const signedIn = await completeSignUp(services, secret, { name, password })
    return isRefusal(signedIn)
      ? sendRefusal(request, reply, signedIn)
      : enter(request, reply, signedIn, takeNext(request, reply))
  })
}

interface WithSecret {
  Params: { secret: string }
}

const ASKING = {
  title: 'Create an account',
  action: '/sign-up',
  lead: 'Enter your e-mail address. We send you a link to continue.',
  button: 'Send the link',
}

interface First {
  next: string | null
  email?: string
  name?: string
  workspaceName?: string
  problems?: Problems
}

/** No mail is needed: the operator opens the page before anybody knows the installation. */
async function signUpAsFirst(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  given: URLSearchParams,
): Promise<FastifyReply> {
  const entered = (field: string) => given.get(field) ?? ''
  const [email, name, password, workspaceName] = [
    entered('email'),
    entered('name'),
    entered('password'),
    entered('workspaceName'),
  ]
  const next = nextOf(request, given)
  const problems = {
    name: nameProblem(name),
    email: foldEmail(email) === null ? EMAIL_PROBLEM : null,
    password: passwordProblem(password, email),
    workspaceName: nameProblem(workspaceName),
  }
  const shown = { next, email, name, workspaceName }
  if (hasProblems(problems)) return showFirst(context, request, reply, { ...shown, problems })
  const signedIn = await signUpFirst(visited(context, request), { email, name, password, workspaceName })
  return isRefusal(signedIn) ? sendRefusal(request, reply, signedIn) : enter(request, reply, signedIn, next)
}

function showFirst(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { next, email = '', name = '', workspaceName = '', problems = {} }: First,
): FastifyReply {
  const fields = html`${hidden('next', next)}
${yourNameField(name, problems)}
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email }, problems)}
${newPasswordField(problems)}
${field({ ...WORKSPACE_FIELD, value: workspaceName }, problems)}
<button type="submit">Create the account</button>`
  const body = html`<p>You are the first person here, so you own this installation and its workspace,
  and can invite others.</p>
<div class="sheet">
${form(request, reply, '/sign-up', fields)}
${providerButtons(context, { next })}
</div>`
  return sendPage(reply, { title: 'Create the first account', body }, hasProblems(problems) ? 400 : 200)
}

const WORKSPACE_FIELD = {
  name: 'workspaceName',
  label: 'Name of your workspace',
  autocomplete: 'organization',
  hint: 'For example the name of your company. An existing workspace keeps its name and becomes yours.',
} as const

function showClosed(reply: FastifyReply, next: string | null): FastifyReply {
  const body = html`<div class="sheet">
<p>New accounts on this installation require an invitation. Ask a member to invite you.</p>
</div>
<p class="links"><a href="${withNext('/sign-in', next)}">Back to sign-in</a></p>`
  return sendPage(reply, { title: ASKING.title, body })
}

/** The first account could take over existing workspaces, so the operator names it. */
function showOperatorsWay(reply: FastifyReply, next: string | null): FastifyReply {
  const body = html`<div class="sheet">
<p>Workspaces exist, but no account. To keep strangers out, the operator invites the owner
on this machine:</p>
<p><code>${COMMAND} invite WORKSPACE EMAIL --role owner</code></p>
<p>That prints a link to open. The workspace is given by its name or its id.</p>
</div>
<p class="links"><a href="${withNext('/sign-in', next)}">Back to sign-in</a></p>`
  return sendPage(reply, { title: 'Create the first account', body })
}

async function showCompletion(
  { services }: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
  { name = '', problems = {} }: { name?: string; problems?: Problems } = {},
): Promise<FastifyReply> {
  const link = await peekLink(services.db, secret, 'sign_up', services.clock.now())
  if (link === null) return sendRefusal(request, reply, noSuchLink())
  const fields = html`${fixedEmailField(link.email)}
${yourNameField(name, problems)}
${newPasswordField(problems)}
<button type="submit">Create the account</button>`
  const body = html`<div class="sheet">
${form(request, reply, `/sign-up/${secret}`, fields)}
</div>`
  return sendPage(reply, { title: ASKING.title, body }, hasProblems(problems) ? 400 : 200)
}
